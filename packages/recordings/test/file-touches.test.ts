// Verifies: SSOT 5.6 (a read enters the active set, an edit only the pool), as recorded calls name files.
import { describe, expect, it } from "vitest";
import { fileTouches } from "../src/file-touches.ts";

const context = { cwd: "/home/dev/project", text: "", failed: false };

describe("fileTouches", () => {
  it.each([
    ["read", { path: "src/a.ts" }, "/home/dev/project/src/a.ts", "read"],
    ["Read", { file_path: "/x/../y/b.md" }, "/y/b.md", "read"],
    ["read", { path: "@notes.md" }, "/home/dev/project/notes.md", "read"],
    ["edit", { path: "src/a.ts", edits: [] }, "/home/dev/project/src/a.ts", "edited"],
    ["MultiEdit", { file_path: "/y/b.md" }, "/y/b.md", "edited"],
    ["Write", { file_path: "/y/b.md", content: "" }, "/y/b.md", "edited"],
    ["str_replace_editor", { command: "view", path: "/a" }, "/a", "read"],
    ["apply_patch", { input: "*** Begin Patch\n*** Delete File: a\n*** End Patch" }, "/home/dev/project/a", "edited"],
  ] as const)("%s with %o names %s", (name, args, path, as) => {
    const touches = fileTouches({ id: "1", name, args }, context);

    expect(touches).toMatchObject([{ path, as }]);
  });

  it("names no file whose name is longer than one can be", () => {
    expect(fileTouches({ id: "1", name: "read", args: { path: "x".repeat(5_000) } }, context)).toEqual([]);
  });

  it("says which lines a part of a file covers", () => {
    const touches = fileTouches({ id: "1", name: "Read", args: { file_path: "/a", offset: 10, limit: 5 } }, context);

    expect(touches[0]?.span).toEqual({ startLine: 10, endLine: 14 });
  });

  it("says which lines an editor was asked to show", () => {
    const args = { command: "view", path: "/a", view_range: [10, 14] };

    const touches = fileTouches({ id: "1", name: "str_replace_editor", args }, context);

    expect(touches[0]?.span).toEqual({ startLine: 10, endLine: 14 });
  });

  it("says which lines a window of SWE-agent showed", () => {
    const text =
      "[File: a.py (1997 lines total)]\r\n(1456 more lines above)\r\n1457:a\r\n1458:b\r\n(539 more lines below)";

    const touches = fileTouches(
      { id: "1", name: "open", args: { path: "/a.py", line_number: 1474 } },
      { ...context, text },
    );

    expect(touches).toEqual([{ path: "/a.py", as: "read", span: { startLine: 1457, endLine: 1458 } }]);
  });

  it("says which lines opencode showed, whose offset may count from 0", () => {
    const text = "<file>\n00010| a\n00011| b\n\n(End of file - total 11 lines)\n</file>";

    const touches = fileTouches({ id: "1", name: "read", args: { filePath: "/a", offset: 9 } }, { ...context, text });

    expect(touches[0]?.span).toEqual({ startLine: 10, endLine: 11 });
  });

  it("names each file of a call on several", () => {
    const touches = fileTouches({ id: "1", name: "read_files", args: { paths: ["/a", "/b"] } }, context);

    expect(touches.map(({ path }) => path)).toEqual(["/a", "/b"]);
  });

  it.each([
    ["bash", { command: "cat /etc/hosts" }, false],
    ["read", {}, false],
    ["read", { path: 7 }, false],
    ["read", { path: "/a" }, true],
    ["read", JSON.parse('{"__proto__": {"path": "/a"}}'), false],
  ] as const)("finds no file in %s with %o (failed: %s)", (name, args, failed) => {
    const touches = fileTouches({ id: "1", name, args }, { ...context, failed });

    expect(touches).toEqual([]);
  });
});
