// Verifies: SSOT 5.6 (which files a call touched), for the tools of Pi
import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../src/files/recorded-touch.ts";
import { touchesOf } from "../../src/files/touches-of-call.ts";

const place = { cwd: "/work/app", home: "/home/ada" };

const call = (tool: string, args: ToolCall["args"], rest: Partial<ToolCall> = {}): ToolCall => ({
  ...{ tool, args, text: "", failed: false },
  ...rest,
});

const touched = (tool: string, args: ToolCall["args"], rest: Partial<ToolCall> = {}) =>
  touchesOf(call(tool, args, rest), place);

const found = (tool: string, args: ToolCall["args"], text: string, failed = false) =>
  touched(tool, args, { text, failed }).map(({ path, as }) => (as === "discovered" ? path : `${as} ${path}`));

describe("the path of a call", () => {
  it.each([
    ["src/a.ts", "/work/app/src/a.ts"],
    ["@src/a.ts", "/work/app/src/a.ts"],
    ["@@scope/a.ts", "/work/app/@scope/a.ts"],
    ["./src/../b.ts", "/work/app/b.ts"],
    ["../other/c.ts", "/work/other/c.ts"],
    ["/etc/hosts", "/etc/hosts"],
    ["~/notes.md", "/home/ada/notes.md"],
    ["@~/notes.md", "/home/ada/notes.md"],
    ["~ada/notes.md", "/work/app/~ada/notes.md"],
    ["my\u202Ffile\u00A0.txt", "/work/app/my file .txt"],
    ["file:///etc/my%20hosts", "/etc/my hosts"],
    [5, "/work/app/5"],
  ])("is what Pi opens for %j", (argument, path) => {
    expect(touched("write", { path: argument, content: "" })).toEqual([{ path, as: "edited" }]);
  });

  it.each([[undefined], [null], [{ a: 1 }], ["a\0b"], ["a/".repeat(4_096)], ["file://host.example/a%"]])(
    "is none for %j",
    (argument) => {
      expect(touched("read", { path: argument })).toEqual([]);
    },
  );

  it("is none without a working folder to count from", () => {
    expect(touchesOf(call("read", { path: "a.ts" }), { cwd: "C:\\work", home: "/home/ada" })).toEqual([]);
  });
});

describe("a read", () => {
  const cut = (outputLines: number) => ({ truncation: { truncated: true, truncatedBy: "lines", outputLines } });
  const read = (args: ToolCall["args"], text: string, details?: unknown) =>
    touched("read", { path: "a.ts", ...args }, { text, ...(details === undefined ? {} : { details }) })[0];

  it.each([
    ["of a whole file reaches its end", {}, "one\ntwo\n", undefined, { startLine: 1 }],
    ["of an empty file reaches its end", {}, "", undefined, { startLine: 1 }],
    ["from an offset reaches the end", { offset: 40 }, "forty\n", undefined, { startLine: 40 }],
    [
      "with a limit ends where it does",
      { offset: 3, limit: 2 },
      "three\nfour\n\n[96 more lines in file. Use offset=5 to continue.]",
      undefined,
      { startLine: 3, endLine: 4 },
    ],
    ["with a limit that nothing is behind reaches the end", { limit: 200 }, "one\ntwo\n", undefined, { startLine: 1 }],
    [
      "that was cut ends where it was cut",
      {},
      "…\n\n[Showing lines 1-2000 of 9000. Use offset=2001 to continue.]",
      cut(2_000),
      { startLine: 1, endLine: 2_000 },
    ],
    [
      "that was cut below an offset counts from there",
      { offset: 101, limit: 5_000 },
      "…\n\n[Showing lines 101-700 of 9000 (50.0KB limit). Use offset=701 to continue.]",
      cut(600),
      { startLine: 101, endLine: 700 },
    ],
    [
      "whose details an extension took away is told by the remark",
      {},
      "…\n\n[Showing lines 1-812 of 9000 (50.0KB limit). Use offset=813 to continue.]",
      undefined,
      { startLine: 1, endLine: 812 },
    ],
    ["whose arguments came as text counts with them", { offset: "7" }, "seven", undefined, { startLine: 7 }],
  ])("%s", (_, args, text, details, span) => {
    expect(read(args, text, details)).toEqual({ path: "/work/app/a.ts", as: "read", span });
  });

  it.each([
    ["a picture", {}, "Read image file [image/png]\n[Image: original 800x600]", undefined],
    [
      "a first line over the limit",
      {},
      "[Line 1 is 80.0KB, exceeds 50.0KB limit. Use bash: sed -n '1p' a.ts | head -c 51200]",
      { truncation: { truncated: true, firstLineExceedsLimit: true, outputLines: 0 } },
    ],
    ["no lines", { limit: 0 }, "\n\n[9 more lines in file. Use offset=1 to continue.]", undefined],
  ])("that shows %s has no lines", (_, args, text, details) => {
    expect(read(args, text, details)).toEqual({ path: "/work/app/a.ts", as: "read" });
  });

  it("that failed touches nothing", () => {
    expect(touched("read", { path: "gone.ts" }, { text: "ENOENT: no such file or directory", failed: true })).toEqual(
      [],
    );
  });
});

describe("an edit or a write", () => {
  it.each(["edit", "write"])("by %s is an edit, and one that failed has met the file only", (tool) => {
    const args = { path: "a.ts", content: "x", edits: [{ oldText: "a", newText: "b" }] };

    expect(touched(tool, args, { text: "Successfully replaced 1 block(s) in a.ts." })).toEqual([
      { path: "/work/app/a.ts", as: "edited" },
    ]);
    expect(touched(tool, args, { text: "Could not find the exact text in a.ts.", failed: true })).toEqual([
      { path: "/work/app/a.ts", as: "discovered" },
    ]);
  });
});

describe("a listing of Pi's", () => {
  it("gives the files of the folder that was listed, by their exact names", () => {
    const text = "- dashed\n.hidden\na  b.txt\nnote: me.md\nsrc/\ntotal 4";

    expect(found("ls", { path: "docs" }, text)).toEqual(
      ["- dashed", ".hidden", "a  b.txt", "note: me.md", "total 4"].map((name) => `/work/app/docs/${name}`),
    );
  });

  it("gives found files from the folder that was searched", () => {
    const text = "src/a.ts\nsrc/sub/\nsrc/(auth)/b.ts";

    expect(found("find", { pattern: "**/*.ts", path: "~/lib" }, text)).toEqual([
      "/home/ada/lib/src/a.ts",
      "/home/ada/lib/src/(auth)/b.ts",
    ]);
  });

  it("gives files with matches from the folder that was searched, each once", () => {
    const text =
      "a-1.ts-11- before\na-1.ts:12: const a: number = f({b: 2});\n(x)/b.ts:1: see c.ts:3: there\n(x)/b.ts:9: again";

    expect(found("grep", { pattern: "x", path: "src" }, text)).toEqual([
      "/work/app/src/a-1.ts",
      "/work/app/src/(x)/b.ts",
    ]);
  });

  it("gives the file itself where one file was searched", () => {
    expect(found("grep", { pattern: "x", path: "src/a.ts" }, "a.ts:1: x")).toContain("/work/app/src/a.ts");
  });

  it.each([
    ["ls", "a.ts\n\n[500 entries limit reached. Use limit=1000 for more]"],
    ["ls", "a.ts\n\n[500 entries limit reached. Use limit=1000 for more. 50.0KB limit reached]"],
    ["find", "a.ts\n\n[1000 results limit reached. Use limit=2000 for more, or refine pattern]"],
    ["grep", "a.ts:1: x\n\n[100 matches limit reached. Use limit=200 for more, or refine pattern]"],
    ["grep", "a.ts:1: x\n\n[Some lines truncated to 500 chars. Use read tool to see full lines]"],
  ])("leaves out what %s remarks at the end", (tool, text) => {
    expect(found(tool, { pattern: "x" }, text)).toEqual(["/work/app/a.ts"]);
  });

  it.each([
    ["ls", "(empty directory)", false],
    ["find", "No files found matching pattern", false],
    ["grep", "No matches found", false],
    ["ls", "Path not found: /work/app/a.ts", true],
    ["grep", "Path not found: /work/app/a.ts", true],
  ])("of %s that says %j gives nothing", (tool, text, failed) => {
    expect(found(tool, { pattern: "x" }, text, failed)).toEqual([]);
  });
});

describe("a command", () => {
  it("gives paths of listings and of whatever else it prints", () => {
    expect(found("bash", { command: "ls src" }, "a.ts\nb.ts\n")).toContain("/work/app/src/a.ts");
    expect(found("bash", { command: "npm test" }, "FAIL src/a.test.ts > adds\n  at f (src/a.ts:3:9)")).toEqual([
      "/work/app/src/a.test.ts",
      "/work/app/src/a.ts",
    ]);
  });

  it("gives paths also where it failed, and none from how it ended", () => {
    const text = "src/a.ts(3,9): error TS2322\n\nCommand exited with code 2";

    expect(found("bash", { command: "npx tsc" }, text, true)).toEqual(["/work/app/src/a.ts"]);
  });

  it.each([
    "[Showing lines 900-2900 of 2900. Full output: /tmp/pi-bash-0011223344556677.log]",
    "[Showing lines 5-2900 of 2900 (50.0KB limit). Full output: /var/t/pi-bash-0011223344556677.log]",
    "[Showing last 50.0KB of line 1 (line is 80.0KB). Full output: /tmp/pi-bash-0011223344556677.log]\n\nCommand exited with code 1",
    "[Showing lines 9-2900 of 2900. Full output: /tmp/pi-bash-0011223344556677.log]\n\nCommand timed out after 9 seconds. The shell exited with code 0 after 1 seconds, but more.",
  ])("does not give the file that Pi keeps its output in: %s", (remark) => {
    expect(found("bash", { command: "make" }, `wrote out/b.o\n\n${remark}`, true)).toEqual(["/work/app/out/b.o"]);
  });

  it("does not give such a file where an output names it either", () => {
    expect(found("bash", { command: "ls /tmp" }, "/tmp/pi-bash-0011223344556677.log\n/tmp/a.txt")).toEqual([
      "/tmp/a.txt",
    ]);
  });

  it("that only prints one file reads it, without saying which lines, and its text names nothing", () => {
    expect(touched("bash", { command: "cd src && sed -n '1,9p' a.ts" }, { text: 'import "./b.ts";' })).toEqual([
      { path: "/work/app/src/a.ts", as: "read" },
    ]);
    expect(
      found("bash", { command: "cat gone.ts" }, "cat: gone.ts: No such file\n\nCommand exited with code 1", true),
    ).toEqual([]);
  });

  it("that patches files edits them", () => {
    const command = "apply_patch <<'E'\n*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch\nE";

    expect(found("bash", { command }, "Done")).toEqual(["edited /work/app/src/a.ts"]);
  });
});

describe("a tool that is not Pi's", () => {
  it("is told by what it does", () => {
    expect(found("mcp__files__read_file", { path: "src/a.ts" }, "text")).toEqual(["read /work/app/src/a.ts"]);
    expect(
      found("str_replace_editor", { command: "str_replace", path: "/x/a.ts", old_str: "a", new_str: "b" }, "ok"),
    ).toEqual(["edited /x/a.ts"]);
    expect(found("build", {}, "see src/main.c:12")).toEqual(["/work/app/src/main.c"]);
  });

  it("that failed gives no paths", () => {
    expect(found("build", {}, "no such file: src/main.c", true)).toEqual([]);
  });

  it.each(["cm_context"])("and is ours gives none: %s", (tool) => {
    expect(found(tool, { id: "f1" }, "id=f1 type=file path=src/a.ts")).toEqual([]);
  });
});

it("a nested call says nothing of lines, since the model did not see them", () => {
  expect(touched("read", { path: "a.ts" }, { text: "x", isNested: true })).toEqual([
    { path: "/work/app/a.ts", as: "read" },
  ]);
});

it("a call touches 1,000 files at most", () => {
  const text = Array.from({ length: 1_500 }, (_, n) => `src/f${n}.ts`).join("\n");

  expect(found("find", { pattern: "*" }, text)).toHaveLength(1_000);
});
