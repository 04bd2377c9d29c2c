// Verifies: design 7.2, context-log "On arrival" 1 to 3
import { describe, expect, it } from "vitest";
import { lines, numberedLines, Script } from "../support/script.ts";

const reminder = "\n\n<system-reminder>\nBe careful with what you read.\n</system-reminder>\n";

describe("a result that arrives", () => {
  it("is a reference where the same text stands in view", () => {
    const script = new Script();
    const first = script.read("a.ts", lines(30));
    const again = script.read("a.ts", lines(30));

    const { shown, decision } = script.request();

    expect(shown(first)).toBe(lines(30));
    expect(shown(again)).toBe("toolcall_ref id=t2 same_as=t1");
    expect(decision.fold).toBeUndefined();
  });

  it("is a reference where a part of what is in view was read again, line numbers aside", () => {
    const script = new Script();
    script.call("Read", { file_path: "a.ts" }, numberedLines(60));
    const part = lines(60).split("\n").slice(20, 40);
    const text = part.map((line, index) => `${String(index + 21).padStart(6)}→${line}`).join("\n");

    const again = script.call("Read", { file_path: "a.ts", offset: 21, limit: 20 }, text);

    expect(script.request().shown(again)).toBe("toolcall_ref id=t2 same_as=t1");
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

    expect([shown("x"), shown("y")].map((text) => text.split(" ").at(-1))).toEqual(["same_as=t1", "same_as=t1"]);
  });

  it("stands whole where the text begins or ends within a line of the earlier one", () => {
    const script = new Script();
    script.read("a.ts", lines(30));
    const part = lines(30).slice(3, -3);

    const again = script.read("a.ts", part);

    expect(script.request().shown(again)).not.toContain("same_as");
  });

  it("is a diff against the newest earlier read where little changed", () => {
    const script = new Script();
    script.read("a.ts", lines(60));

    const again = script.read("a.ts", lines(60).replace("number 30 of", "number thirty of"));

    expect(script.request().shown(again)).toBe(
      [
        "toolcall_ref id=t2 diff_from=t1",
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
    expect(script.request().shown("c0")).toContain("toolcall_ref");

    const again = script.read("a.ts", lines(800));

    expect(script.request().shown(again)).toBe(lines(800));
  });

  it("stands whole where another file has the same text", () => {
    const script = new Script();
    script.read("a.ts", lines(30));

    const other = script.read("b.ts", lines(30));

    expect(script.request().shown(other)).toBe(lines(30));
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
