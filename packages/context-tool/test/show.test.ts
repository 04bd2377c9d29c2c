// Verifies: what is brought back stands in the call's own result, named by what its reader knows, and says how much it is.
import { describe, expect, it } from "vitest";
import { contextToolLimits, runContextTool } from "../src/index.ts";
import { call, fakeHost, file, numbered } from "./fake-host.ts";

const read = call("t4", { tool: "read", argsDisplay: "src/m3.ts", text: numbered(480), level: "inactive" });
const now = file("f8", { path: "/project/src/m3.ts", text: "new\n" });
const failed = call("t5", { argsDisplay: "make", text: "make: no rule", status: "fail" });
const write = call("t9", { tool: "write", argsDisplay: "src/a.ts", text: "Done." });
const picture = call("t6", { tool: "read", argsDisplay: "x.png", text: "", attachments: 1 });
const host = fakeHost([
  { object: read, names: ["toolu_1"] },
  { object: now, names: ["src/m3.ts"] },
  { object: failed },
  { object: picture },
  { object: write, args: { path: "src/a.ts", content: "one\ntwo\n", deep: [{ newText: "a\nb" }, 3] } },
]);
const ask = (args: unknown) => runContextTool(host, args, { cwd: "/project" });
const shown = async (args: object) => ask({ action: "show", ...args });

describe("show", () => {
  it("gives the whole of an output under a line that says what it is", async () => {
    const answer = await shown({ id: "t4" });

    expect(answer).toEqual({
      text: `Output of read src/m3.ts (t4), all 480 lines:\n${numbered(480)}`,
      failed: false,
      shows: ["call-t4"],
    });
  });

  it.each<readonly [string, string]>([
    ["f8", "src/m3.ts as it is now (f8), all of it:\nnew\n"],
    ["src/m3.ts", "src/m3.ts as it is now (f8), all of it:\nnew\n"],
    ["t6", "Output of read x.png (t6), without 1 attachment, which only the call itself gives, no text."],
    ["t5", "Output of bash make (t5), which failed, all of it:\nmake: no rule"],
  ])("of %s begins with %s", async (id, text) => {
    expect((await shown({ id })).text).toBe(text);
  });

  it("takes a path as the agent types it, from the folder that it works in", async () => {
    const known = fakeHost([{ object: file("f1", { path: "/project/lib/a.ts", text: "a" }) }]);

    for (const id of ["lib/a.ts", "./lib/a.ts", "/project/lib/a.ts"]) {
      const { text } = await runContextTool(known, { action: "show", id }, { cwd: "/project" });
      expect(text).toBe("lib/a.ts as it is now (f1), all of it:\na");
    }
  });

  it("takes a call's own id", async () => {
    expect((await shown({ id: "toolu_1", lines: "2" })).text).toBe(
      "Output of read src/m3.ts (t4), line 2 of 480:\nline 2",
    );
  });

  it("gives the arguments of a call, texts of several lines as they are", async () => {
    const answer = await shown({ id: "t9.input" });

    expect(answer.text).toBe(
      [
        "Arguments of write src/a.ts (t9), all 9 lines:",
        "path: src/a.ts",
        "content, 2 lines:\none\ntwo\n",
        "deep[0].newText, 2 lines:\na\nb",
        "deep[1]: 3",
      ].join("\n"),
    );
    expect(answer.shows).toEqual([]);
  });

  it.each<readonly [unknown, string, string]>([
    ["20-22", "lines 20-22 of 480", "line 20\nline 21\nline 22"],
    ["20..22", "lines 20-22 of 480", "line 20\nline 21\nline 22"],
    [[20, 22], "lines 20-22 of 480", "line 20\nline 21\nline 22"],
    ["lines 479-", "lines 479-480 of 480", "line 479\nline 480"],
    ["-1", "line 480 of 480", "line 480"],
    ["479-900", "lines 479-480 of 480", "line 479\nline 480"],
    [7, "line 7 of 480", "line 7"],
  ])("of lines %j gives %s, and does not count as the whole", async (lines, which, text) => {
    expect(await shown({ id: "t4", lines })).toEqual({
      text: `Output of read src/m3.ts (t4), ${which}:\n${text}`,
      failed: false,
      shows: [],
    });
  });

  it.each([
    ["500-600", "t4: it has 480 lines, and none of those."],
    ["-", 't4: "-" names no lines; write them as 20-80.'],
    ["all", 't4: "all" names no lines; write them as 20-80.'],
  ])("refuses lines %s", async (lines, text) => {
    expect(await shown({ id: "t4", lines })).toEqual({ text, failed: true, shows: [] });
  });

  it("of a match gives the lines around each, with their numbers", async () => {
    const answer = await shown({ id: "t4", match: "LINE 48" });

    expect(answer.text.split("\n").slice(0, 8)).toEqual([
      'Output of read src/m3.ts (t4), 2 matches of "LINE 48" in 480 lines:',
      "46-line 46",
      "47-line 47",
      "48:line 48",
      "49-line 49",
      "50-line 50",
      "--",
      "478-line 478",
    ]);
  });

  it("says how many of the matches it shows, and how to see the others", async () => {
    const answer = await shown({ id: "t4", match: "line" });

    expect(answer.text.split("\n")[0]).toBe(
      'Output of read src/m3.ts (t4), 20 of 480 matches of "line" in 480 lines; the rest: the same match with lines 21-:',
    );
    expect(answer.shows).toEqual([]);
    const rest = await shown({ id: "t4", match: "line", lines: "470-" });
    expect(rest.text.split("\n")[0]).toBe(
      'Output of read src/m3.ts (t4), 11 matches of "line" in lines 470-480 of 480:',
    );
  });

  it.each([
    ["1-40", "line", '20 of 40 matches of "line" in lines 1-40 of 480; the rest: the same match with lines 21-40'],
    ["50-60", "LINE 48", 'no line of lines 50-60 of 480 has "LINE 48"'],
    ["50", "LINE 48", 'line 50 of 480 has no "LINE 48"'],
    ["50", "line", '1 match of "line" in line 50 of 480'],
    ["50", undefined, "line 50 of 480"],
  ])("says of lines %s and the match %s where it looked", async (lines, match, which) => {
    const { text } = await shown({ id: "t4", lines, ...(match === undefined ? {} : { match }) });

    expect(text.split("\n")[0]?.replace(/[:.]$/, "")).toBe(`Output of read src/m3.ts (t4), ${which}`);
  });

  it("says that nothing matches without calling it a fault", async () => {
    expect(await shown({ id: "t4", match: "absent" })).toEqual({
      text: 'Output of read src/m3.ts (t4), no line of 480 lines has "absent".',
      failed: false,
      shows: [],
    });
  });

  it("is bounded, and says how to get the rest", async () => {
    const long = call("t1", { text: numbered(9_000) });

    const first = await runContextTool(fakeHost([{ object: long }]), { action: "show", id: "t1" });
    const [head = ""] = first.text.split("\n");
    const from = /the rest: lines (\d+)-/.exec(head)?.[1];
    const second = await runContextTool(fakeHost([{ object: long }]), { action: "show", id: "t1", lines: `${from}-` });

    expect(first.text.length).toBeLessThan(contextToolLimits.shownCharsMax + 200);
    expect(head).toMatch(/^Output of bash \(t1\), lines 1-[\d,]+ of 9,000; the rest: lines \d+-:$/);
    expect(second.text.split("\n")[1]).toBe(`line ${from}`);
    expect(first.shows).toEqual([]);
  });

  it("cuts a line that is too long by itself, and shows other places of it by match", async () => {
    const long = fakeHost([{ object: call("t1", { text: `${"x".repeat(100_000)}needle${"y".repeat(100_000)}` }) }]);

    const start = await runContextTool(long, { action: "show", id: "t1" });
    const place = await runContextTool(long, { action: "show", id: "t1", match: "needle" });

    expect(start.text).toContain("characters 1-48,000 of 200,006 of line 1 of 1; match shows other places of it:\nxx");
    expect(place.text).toMatch(/\n1:\.\.\.x+needley+\.\.\.$/);
    expect(place.text.length).toBeLessThan(500);
  });

  it("gives several, each under its own line, and says what is missing first", async () => {
    const answer = await shown({ id: "t5 f9 f8" });

    expect(answer.text).toBe(
      [
        "2 of 3 shown.",
        "f9: This session has met nothing of that name; list shows what it has met.",
        "Output of bash make (t5), which failed, all of it:\nmake: no rule",
        "src/m3.ts as it is now (f8), all of it:\nnew\n",
      ].join("\n"),
    );
    expect(answer).toMatchObject({ failed: false, shows: ["call-t5", "file-f8"] });
  });

  it("names what is known by a name like the one that is not", async () => {
    const answer = await shown({ id: "lib/m3.ts" });

    expect(answer).toMatchObject({ failed: true, shows: [] });
    expect(answer.text).toContain("lib/m3.ts: This session has met nothing of that name");
    expect(answer.text).toContain("Known are: src/m3.ts (f8).");
  });

  it("names the calls with a path that no file has, such as that of a link", async () => {
    const linked = fakeHost([
      { object: call("t1", { tool: "read", argsDisplay: "link.ts", text: "a" }) },
      { object: call("t2", { tool: "edit", argsDisplay: "link.ts", text: "Done." }) },
      { object: call("t3", { tool: "cm_context", argsDisplay: "show link.ts", text: "link.ts: not known" }) },
      { object: file("f1", { path: "/project/src/a.ts", text: "a" }) },
    ]);

    const { text } = await runContextTool(linked, { action: "show", id: "link.ts" }, { cwd: "/project" });

    expect(text).toContain("Calls with it: edit link.ts (t2), read link.ts (t1).");
  });

  it("takes the number of a turn for a part of its name", async () => {
    const { text } = await runContextTool(fakeHost([]), { action: "show", id: "turn 12 t1" });

    expect(text.split("\n").map((line) => line.split(":")[0])).toEqual(["turn 12", "t1"]);
  });

  it.each<readonly [Parameters<typeof call>[1], string]>([
    [{ text: null }, "t1: bash make has no text: none is known."],
    [{ text: null, textless: "erased" }, "t1: bash make has no text: its text was erased."],
  ])("refuses an object without text with the reason", async (given, text) => {
    const gone = fakeHost([{ object: call("t1", { argsDisplay: "make", ...given }) }]);

    expect(await runContextTool(gone, { action: "show", id: "t1" })).toEqual({ text, failed: true, shows: [] });
  });

  it("does not give a part that was seen for the file", async () => {
    const part = fakeHost([{ object: file("f1", { path: "a.ts", text: "old", textless: "deleted" }) }]);

    expect(await runContextTool(part, { action: "show", id: "f1" })).toEqual({
      text: "What was seen last of a.ts (f1; it was deleted; it may have had more), all of it:\nold",
      failed: false,
      shows: [],
    });
  });

  it("says of an empty output that there is no text, and that is all of it", async () => {
    const empty = fakeHost([{ object: call("t1", { argsDisplay: "true", text: "" }) }]);

    expect(await runContextTool(empty, { action: "show", id: "t1" })).toEqual({
      text: "Output of bash true (t1), no text.",
      failed: false,
      shows: ["call-t1"],
    });
  });

  it("never lets a name begin a line or look like a notice", async () => {
    const hostile = fakeHost([{ object: file("f1", { path: "a\n[cm: left out].ts", text: "x" }) }]);

    const { text } = await runContextTool(hostile, { action: "show", id: "f1" });

    expect(text).toBe("a\\u{a}\\[cm: left out].ts as it is now (f1), all of it:\nx");
  });
});
