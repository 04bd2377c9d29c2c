// Verifies: SSOT 4.4 (2): lines that stand in view already arrive as a line that says where.
import { defaultPrices, indexedView } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { logLayout } from "../../src/layouts/log.ts";
import { contextLogPolicy } from "../../src/policies/context-log/policy.ts";
import { lines, numberedLines, Script } from "../support/script.ts";

const whole = lines(60).split("\n");

describe("lines that stand in view already", () => {
  it("are a line that says which of them stand where, and the others stand", () => {
    const script = new Script();
    script.read("a.ts", lines(60));
    const made = script.call("bash", { command: "make" }, `one\n${whole.slice(10, 50).join("\n")}\ntwo\nthree`);

    expect(script.request().shown(made)).toBe(
      [
        "one",
        "[cm: 40 lines left out here: the same as lines 11-50 of the output 1 call above; cm_context show t2]",
        "two",
        "three",
      ].join("\n"),
    );
  });

  it("are counted as the tools number them, and the text behind them goes on with its number", () => {
    const script = new Script();
    script.call("Read", { file_path: "a.ts" }, numberedLines(60, "line", 101));
    const copy = `${numberedLines(60)}\n${numberedLines(3, "new", 61)}`;
    const again = script.call("Read", { file_path: "b.ts" }, copy);

    expect(script.request().shown(again)).toBe(
      [
        "[cm: 60 lines left out here: the same as lines 101-160 of the output 1 call above; cm_context show t2]",
        "    61→new number 0 of a longer text",
        "new number 1 of a longer text",
        "new number 2 of a longer text",
      ].join("\n"),
    );
  });

  it("are counted as everywhere: behind the last line break there is none", () => {
    const script = new Script();
    script.call("write", { path: "a.ts", content: `${lines(60)}\n` }, "ok");
    const read = script.read("b.ts", `one\n${lines(60)}\n`);

    expect(script.request().shown(read)).toBe(
      "one\n[cm: 60 lines left out here: the same as lines 1-60 of the text written 1 call above; cm_context show t2]",
    );
  });

  it("end where one text ends and the other one has an empty line", () => {
    const script = new Script();
    script.call("bash", { command: "make" }, `${lines(60)}\n\nmore`);
    const read = script.read("b.ts", `one\n${lines(60)}\n`);

    expect(script.request().shown(read)).toBe(
      "one\n[cm: 60 lines left out here: the same as lines 1-60 of the output 1 call above; cm_context show t2]\n",
    );
  });

  it("may stand in the text that an earlier call wrote", () => {
    const script = new Script();
    script.call("write", { path: "a.ts", content: lines(60) }, "ok");
    const shown = script.call("bash", { command: "make" }, `one\n${lines(60)}\ntwo`);

    expect(script.request().shown(shown)).toBe(
      [
        "one",
        "[cm: 60 lines left out here: the same as lines 1-60 of the text written 1 call above; cm_context show t2]",
        "two",
      ].join("\n"),
    );
  });

  it.each([
    [
      "they are fewer than ten",
      `${lines(9, "a line of a text that is very long, so that nine are enough characters for it,")}`,
      9,
    ],
    ["they are short", `one\n${Array.from({ length: 40 }, (_, n) => `line ${n}`).join("\n")}`, 40],
  ])("stand where %s", (_, text) => {
    const script = new Script();
    script.call("bash", { command: "make" }, text);
    const again = script.call("bash", { command: "make" }, `two\n${text}`);

    expect(script.request().shown(again)).toBe(`two\n${text}`);
  });

  it("stand where they were asked for by their lines, unless half of what is shown is new", () => {
    const script = new Script();
    script.read("a.ts", lines(60));
    const part = script.call("read", { path: "a.ts", offset: 11, limit: 40 }, whole.slice(10, 50).join("\n"));
    const more = script.call(
      "read",
      { path: "a.ts", offset: 11, limit: 100 },
      `${whole.slice(10, 40).join("\n")}\n${lines(70, "new")}`,
    );

    const { shown } = script.request();

    expect(shown(part)).toBe(whole.slice(10, 50).join("\n"));
    expect(shown(more)).toContain("[cm: 30 lines left out here: the same as lines 1-30 of the output 1 call above");
    expect(shown(more)).toContain(lines(70, "new"));
  });

  it("stand where the text that has them is folded, or points elsewhere itself", () => {
    const script = new Script();
    const made = `one\n${lines(60)}\ntwo`;
    script.read("a.ts", lines(60));
    script.call("bash", { command: "make" }, made);
    const { shown, decision } = script.request();
    expect(shown("c1")).toContain("1 call above");
    expect(decision.fold).toBeUndefined();

    const third = script.call("bash", { command: "make" }, `${made}\nthree`);

    expect(script.request().shown(third)).toContain("of the output 2 calls above");
  });

  it("stand where little of the text that has them is repeated: it would stay in view for their sake", () => {
    const script = new Script();
    script.read("a.ts", lines(200));
    const text = `one\n${lines(60)}`;
    const made = script.call("bash", { command: "make" }, text);

    expect(script.request().shown(made)).toBe(text);
  });

  it("keep the text that has them in view as long as they point at it, in any prompt of a long session", () => {
    const script = new Script();
    script.call("bash", { command: "make" }, lines(300, "made"));
    script.read("a.ts", `${lines(300, "made")}\nend`);
    const pointing: boolean[] = [];
    for (let call = 0; call < 150; call += 1) {
      if (call % 40 === 20) script.say("Next.");
      script.idle(1);
      const { shown } = script.request();
      const points = shown("c1").includes("the same as lines 1-300 of the output 1 call above");
      pointing.push(points);
      if (points) expect(shown("c0")).toBe(lines(300, "made"));
    }

    expect(new Set(pointing)).toEqual(new Set([true, false]));
  });

  it("are left out of a full window with the text that has them, and point at nothing", () => {
    const script = new Script();
    script.read("a.ts", lines(300));
    script.call("bash", { command: "make" }, `one\n${lines(300)}\ntwo`);
    expect(script.request().shown("c1")).toContain("1 call above");
    script.idle(6);

    const view = { ...script.session.view(), window: { bytesMax: 6_000 } };
    const prompt = logLayout.render(view, contextLogPolicy().decide(view, defaultPrices));
    const said = JSON.stringify(prompt.messages.map(({ text }) => text));

    expect(said).not.toContain("the same as lines");
  });

  it("stand again where the text that has them was erased", () => {
    const script = new Script();
    script.read("a.ts", lines(60));
    const made = script.call("bash", { command: "make" }, `one\n${lines(60)}\ntwo`);
    const { decision } = script.request();
    const view = script.session.view();
    const log = view.log.map((entry) =>
      entry.kind === "result" && entry.callId === "c0" ? { ...entry, text: null } : entry,
    );
    const forms = new Map([...view.forms, ...Object.entries(decision.forms ?? {})]);

    const prompt = logLayout.render(indexedView({ ...view, log, forms }), {});

    expect(prompt.messages.find(({ callId }) => callId === made)?.text).toBe(`one\n${lines(60)}\ntwo`);
  });
});
