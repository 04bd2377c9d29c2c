// Verifies: SSOT 4.4 (2)
import { describe, expect, it } from "vitest";
import { limits } from "../../src/limits.ts";
import { lines, numberedLines, Script } from "../support/script.ts";

const reminder = "\n\n<system-reminder>\nBe careful with what you read.\n</system-reminder>\n";

describe("a result that arrives", () => {
  it("is a line where the very same text stands in view", () => {
    const script = new Script();
    const first = script.read("a.ts", lines(30));
    const again = script.read("a.ts", lines(30));

    const { shown, decision } = script.request();

    expect(shown(first)).toBe(lines(30));
    expect(shown(again)).toBe("[cm: the same 30 lines of a.ts as 1 call above; cm_context show t2]");
    expect(decision.fold).toBeUndefined();
  });

  const whole = lines(60).split("\n");
  const end = whole.slice(30).join("\n");
  it.each([
    ["by an offset", "read", { path: "a.ts", offset: 31 }, end],
    ["by a limit", "read", { path: "a.ts", limit: 50 }, `${whole.slice(0, 50).join("\n")}\n[10 more lines in file.]`],
    ["by a range", "view", { path: "a.ts", view_range: [31, 60] }, end],
    ["with head", "bash", { command: "head -30 a.ts" }, whole.slice(0, 30).join("\n")],
    ["with tail", "bash", { command: "tail -30 a.ts" }, end],
    ["with sed", "bash", { command: "sed -n 10,40p a.ts" }, whole.slice(9, 40).join("\n")],
    ["through a pipe", "bash", { command: "cat a.ts | head -30" }, whole.slice(0, 30).join("\n")],
    ["by a range that is all of it", "read", { path: "a.ts", offset: 1 }, lines(60)],
  ])("stands in full where a part was asked for %s, though all of the file is in view", (_, tool, args, text) => {
    const script = new Script();
    script.read("a.ts", lines(60));

    const part = script.call(tool, args, text);

    expect(script.request().shown(part)).toBe(text);
  });

  it.each([
    ["that the tool cut", `${whole.slice(0, 50).join("\n")}\n[10 more lines in file. Use offset=51 to continue.]`],
    ["that ends elsewhere, whatever cut it", whole.slice(0, 55).join("\n").replace("number 30 of", "number thirty of")],
  ])("is never a diff against a view %s", (_, text) => {
    const script = new Script();
    script.read("a.ts", lines(60));

    const cut = script.read("a.ts", text);

    expect(script.request().shown(cut)).not.toContain("changed since");
  });

  it("is never a diff in which a last line break that one tool alone prints makes a line a changed one", () => {
    const script = new Script();
    script.read("a.ts", `${lines(60)}\n`);

    const numbered = script.call("bash", { command: "cat -n a.ts" }, numberedLines(60));

    expect(script.request().shown(numbered)).not.toContain("changed since");
  });

  it("is a diff without the empty lines at the end, which a tool with numbers prints as well", () => {
    const script = new Script();
    const empty = `${lines(60)}\n\n`;
    script.call("bash", { command: "cat -n a.ts" }, `${numberedLines(60)}\n    61→\n`);

    const read = script.read("a.ts", empty.replace("number 30 of", "number thirty of"));

    expect(script.request().shown(read).split("\n")).toEqual([
      "[cm: 61 lines of a.ts left out; below is what changed since 1 call above; cm_context show t2]",
      "@@ -30,3 +30,3 @@",
      " line number 29 of a longer text",
      "-line number 30 of a longer text",
      "+line number thirty of a longer text",
      " line number 31 of a longer text",
    ]);
  });

  it("is never a diff without a change, where only one view has line numbers", () => {
    const script = new Script();
    script.call("bash", { command: "cat -n a.ts" }, `${numberedLines(60)}\n`);

    const read = script.read("a.ts", `${lines(60)}\n`);

    expect(script.request().shown(read)).not.toContain("changed since");
  });

  it("is a diff neither of a part nor against one", () => {
    const script = new Script();
    script.call("read", { path: "a.ts", offset: 2 }, lines(60).replace("number 3 of", "number three of"));

    const all = script.read("a.ts", lines(60));

    expect(script.request().shown(all)).not.toContain("changed since");
  });

  it("stands whole where it is short", () => {
    const script = new Script();
    script.read("a.ts", lines(4));

    const again = script.read("a.ts", lines(4));

    expect(script.request().shown(again)).toBe(lines(4));
  });

  it("points at text, never at another reference of the same answer", () => {
    const script = new Script();
    script.read("a.ts", lines(30));
    script.request();
    const calls = ["x", "y"].map((callId) => ({ callId, tool: "read", args: { path: "a.ts" } }));
    script.session.add({ kind: "assistant", text: "", calls });
    for (const { callId } of calls) script.session.add({ kind: "result", callId, text: lines(30) });

    const { shown } = script.request();

    expect([shown("x"), shown("y")]).toEqual([
      "[cm: the same 30 lines of a.ts as 1 call above; cm_context show t2]",
      "[cm: the same 30 lines of a.ts as 2 calls above; cm_context show t3]",
    ]);
  });

  it("stands whole where the text begins or ends within a line of the earlier one", () => {
    const script = new Script();
    script.read("a.ts", lines(30));
    const part = lines(30).slice(3, -3);

    const again = script.read("a.ts", part);

    expect(script.request().shown(again)).not.toContain("the same 30 lines");
  });

  it("is a diff against the newest earlier read where little changed", () => {
    const script = new Script();
    script.read("a.ts", lines(60));

    const again = script.read("a.ts", lines(60).replace("number 30 of", "number thirty of"));

    expect(script.request().shown(again)).toBe(
      [
        "[cm: 60 lines of a.ts left out; below is what changed since 1 call above; cm_context show t2]",
        "@@ -30,3 +30,3 @@",
        " line number 29 of a longer text",
        "-line number 30 of a longer text",
        "+line number thirty of a longer text",
        " line number 31 of a longer text",
      ].join("\n"),
    );
  });

  it("stands whole where much changed", () => {
    const script = new Script();
    script.read("a.ts", lines(60));

    const again = script.read("a.ts", lines(60, "other"));

    expect(script.request().shown(again)).toBe(lines(60, "other"));
  });

  it("stands whole where the earlier read was folded", () => {
    const script = new Script();
    script.read("a.ts", lines(800));
    script.say("Next.");
    script.idle(120);
    expect(script.request().shown("c0")).toContain("left out");

    const again = script.read("a.ts", lines(800));

    expect(script.request().shown(again)).toBe(lines(800));
  });

  it("is not said to be the same where another file has the same text", () => {
    const script = new Script();
    script.read("a.ts", lines(30));

    const other = script.read("b.ts", lines(30));

    expect(script.request().shown(other)).not.toContain("the same 30 lines");
  });

  it("keeps every tenth line number and a reminder that is new", () => {
    const script = new Script();
    const first = script.call("Read", { file_path: "a.ts" }, numberedLines(25) + reminder);
    const second = script.call("Read", { file_path: "b.ts" }, numberedLines(25, "text") + reminder);

    const { shown } = script.request();

    const numbers = (text: string): readonly string[] => text.match(/^ *\d+(?=→)/gm)?.map((n) => n.trim()) ?? [];
    expect(numbers(shown(first))).toEqual(["1", "10", "20"]);
    expect(shown(first)).toContain("Be careful");
    expect(shown(second)).not.toContain("Be careful");
    expect(shown(second).replace(/^ *\d+→/gm, "")).toBe(lines(25, "text"));
  });

  it("never changes form once it was sent", () => {
    const script = new Script();
    const first = script.read("a.ts", lines(30));
    const before = script.request().shown(first);
    script.read("a.ts", lines(30));

    expect(script.request().shown(first)).toBe(before);
  });
});

describe("an output that no request could carry", () => {
  const text = (chars: number): string => "0123456789".repeat(chars / 10);

  it.each([
    ["bash", { command: "make" }],
    ["read", { path: "a.log" }],
    ["mcp_tool", {}],
  ])("arrives as its two ends, also where no window is known: %s", (tool, args) => {
    const script = new Script();
    const call = script.call(tool, args, text(5_000_000));

    const shown = String(script.request().shown(call));

    expect(shown.length).toBeGreaterThan(limits.arrivalCharsMax);
    expect(shown.length).toBeLessThan(limits.arrivalCharsMax + 200);
    expect(shown).toContain(`[cm: ${5_000_000 - limits.arrivalCharsMax} characters left out here; cm_context show t1]`);
  });

  it("arrives whole while it is no longer than that", () => {
    const script = new Script();
    const call = script.call("bash", { command: "make" }, text(limits.arrivalCharsMax));

    expect(script.request().shown(call)).toBe(text(limits.arrivalCharsMax));
  });

  it("does so at every later request, byte for byte", () => {
    const script = new Script();
    const call = script.call("bash", { command: "make" }, text(5_000_000));
    const first = script.request().shown(call);

    script.call("bash", { command: "ls" }, "a");

    expect(script.request().shown(call)).toBe(first);
  });
});
