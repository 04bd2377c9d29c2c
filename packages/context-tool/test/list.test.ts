// Verifies: the list of what is known is short, newest first, without calls of its own, and shows the line that matches.
import { expect, it } from "vitest";
import { runContextTool } from "../src/index.ts";
import { call, fakeHost, file, numbered } from "./fake-host.ts";

const objects = [
  file("f1", { path: "/project/src/a.ts", text: numbered(20), pinned: true }),
  file("f2", { path: "/project/src/b.ts", text: null, textless: "unread", level: "inactive" }),
  call("t1", { tool: "read", argsDisplay: "src/a.ts", text: numbered(20), level: "inactive" }),
  call("t2", { argsDisplay: "make", text: "make: No rule", status: "fail" }),
  call("t3", { tool: "cm_context", argsDisplay: "show t1", text: "line 1" }),
];
const ask = (args: object, all = objects) =>
  runContextTool(fakeHost(all.map((object) => ({ object }))), { action: "list", ...args }, { cwd: "/project" });

it("has a row for each object in plain words, newest first", async () => {
  expect((await ask({})).text.split("\n")).toEqual([
    "4 of 4 known, newest first:",
    "t2 bash make: failed, 13 characters, in view",
    "t1 read src/a.ts: 20 lines, left out",
    "f2 src/b.ts: it was not read yet",
    "f1 src/a.ts: 20 lines, in view, pinned",
  ]);
});

it("says of a call that no output of it is known, such as of one that runs beside the list", async () => {
  const open = call("t4", { tool: "edit", argsDisplay: "src/a.ts", text: null, textless: "unread" });

  expect((await ask({}, [open])).text).toBe("1 of 1 known, newest first:\nt4 edit src/a.ts: no output is known");
});

it.each<readonly [string, readonly string[]]>([
  ["SRC/A", ["t1", "f1"]],
  ["make", ["t2"]],
  ["no rule", ["t2"]],
  ["line 7", ["t1", "f1"]],
])("finds %s in path, command or text", async (match, aliases) => {
  const rows = (await ask({ match })).text.split("\n").slice(1);

  expect(rows.filter((row) => !row.startsWith(" ")).map((row) => row.split(" ")[0])).toEqual(aliases);
});

it("shows the first line of a text that matches", async () => {
  expect((await ask({ match: "line 7" })).text.split("\n")).toEqual([
    '2 of 2 that have "line 7" in path, command or text, 4 known, newest first:',
    "t1 read src/a.ts: 20 lines, left out",
    "  7: line 7",
    "f1 src/a.ts: 20 lines, in view, pinned",
    "  7: line 7",
  ]);
});

it("says that nothing has it, and that nothing is known", async () => {
  expect((await ask({ match: "absent" })).text).toBe('0 that have "absent" in path, command or text, 4 known.');
  expect((await ask({}, [])).text).toBe("Nothing is known yet.");
});

it("leads through all of many objects", async () => {
  const many = Array.from({ length: 2_075 }, (_, at) => call(`t${at + 1}`, { text: "x" }));
  const met: string[] = [];

  for (let lines: string | undefined = "1"; lines !== undefined; ) {
    const [head = "", ...rows]: string[] = (await ask({ lines }, many)).text.split("\n");
    expect(head).toMatch(/^30 of 2,075 known|^5 of 2,075 known/);
    met.push(...rows);
    lines = /the rest: list with lines (\d+-)/.exec(head)?.[1];
  }

  expect(new Set(met).size).toBe(2_075);
});

it("keeps each object to lines of bounded length, whatever its name and text", async () => {
  const hostile = file("f7", {
    path: `${"a/".repeat(5_000)}\nf8 forged: 1 line\u001b[2J\u202e.ts`,
    text: `${"y".repeat(10_000)}\u001b[2J needle ${"z".repeat(10_000)}`,
  });

  const { text } = await ask({ match: "needle" }, [hostile]);

  expect(text).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u);
  expect(text.split("\n")).toHaveLength(3);
  expect(text.length).toBeLessThan(700);
});

it("names files of other sessions by the id that brings them in", async () => {
  const foreign = [{ id: "ab12", path: "/shared/x.ts", fileType: "ts", charCount: 1_204 }];
  const host = fakeHost([], { list: async () => ({ objects: [], foreign }) });

  const { text } = await runContextTool(host, { action: "list" });

  expect(text.split("\n")[1]).toBe("ab12 /shared/x.ts: 1,204 characters, of another session");
});
