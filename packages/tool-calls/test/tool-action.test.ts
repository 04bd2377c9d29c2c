import type { JsonObject } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { type FileAction, fileActions, type ToolAction, toolAction } from "../src/index.ts";

const read = (path: string): FileAction => ({ does: "read", path });
const write = (path: string): FileAction => ({ does: "write", path });
const edit = (path: string, ...replaced: string[]): FileAction => ({ does: "edit", path, replaced });
const several = (...files: FileAction[]): ToolAction => ({ does: "other", what: "several", files });
const [search, list, command, unknown] = (["search", "list", "command", "unknown"] as const).map(
  (what): ToolAction => ({ does: "other", what }),
);

const patch = `*** Begin Patch
*** Update File: src/a.ts
@@ function a
 first
-second
+2nd
@@
-fourth
*** Add File: src/new.ts
+first
*** End Patch`;
const moved =
  "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n*** Delete File: c.ts\n*** End Patch";
/** Codex takes an empty line among the others for an empty line of context. */
const unmarked = "*** Begin Patch\n*** Update File: a.ts\n\n@@\n x\n\n-y\n+z\n\n@@\n-w\n\n*** End Patch\n";
const unified = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
const blocks = `------- SEARCH
one
two
=======
1
+++++++ REPLACE
<<<<<<< SEARCH
:start_line:7
-------
seven
=======
7
>>>>>>> REPLACE
<<<<<<< SEARCH
no end`;

describe("what a call did, by name and arguments", () => {
  it.each<[string, JsonObject, unknown]>([
    ["read", { path: "a.ts" }, read("a.ts")],
    ["read", { path: "@a.ts" }, read("a.ts")],
    ["edit", { path: "@@a.ts", edits: [{ oldText: "x", newText: "y" }] }, edit("@a.ts", "x")],
    ["write", { path: "@src/a.ts", content: "x" }, write("src/a.ts")],
    ["Read", { file_path: "@types/a.ts" }, read("@types/a.ts")],
    ["Read", { file_path: "/w/a.ts", offset: 3 }, read("/w/a.ts")],
    ["edit", { path: "a.ts", oldText: "x", newText: "y" }, edit("a.ts", "x")],
    ["Edit", { file_path: "a.ts", old_string: "x", new_string: "" }, edit("a.ts", "x")],
    ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "x" }, { old_string: "y" }] }, edit("a.ts", "x", "y")],
    ["NotebookEdit", { notebook_path: "a.ipynb", cell_id: "1", new_source: "x" }, edit("a.ipynb")],
    ["Write", { file_path: "a.ts", content: "x" }, write("a.ts")],
    ["Bash", { command: "cat a.ts" }, read("a.ts")],
    ["bash", { command: "npm test" }, command],
    ["bash", { command: "cd /w && git grep -n x | head" }, search],
    ["bash", { command: "ls -la src" }, list],
    ["Grep", { pattern: "x", path: "src" }, search],
    ["Glob", { pattern: "*.ts" }, search],
    ["Task", { prompt: patch }, unknown],
    ["WebFetch", { url: "https://example.org/a.ts", prompt: "x" }, unknown],
    // SWE-agent and OpenHands: one editor of several commands.
    ["str_replace_editor", { command: "view", path: "a.ts" }, read("a.ts")],
    ["str_replace_editor", { command: "create", path: "a.ts", file_text: "x" }, write("a.ts")],
    ["str_replace_editor", { command: "str_replace", path: "a.ts", old_str: "x" }, edit("a.ts", "x")],
    ["str_replace_editor", { command: "insert", path: "a.ts", insert_line: 2, new_str: "x" }, edit("a.ts")],
    ["str_replace_editor", { command: "undo_edit", path: "a.ts" }, edit("a.ts")],
    ["open", { path: "a.ts", line_number: 3 }, read("a.ts")],
    ["search_file", { search_term: "x", file: "a.ts" }, search],
    ["find_file", { file_name: "a.ts" }, search],
    ["goto", { line_number: 3 }, unknown],
    // MCP servers, under the names that harnesses give them.
    ["mcp__files__read_text_file", { path: "a.ts", head: 3 }, read("a.ts")],
    ["filesystem_read_text_file", { path: "a.ts" }, read("a.ts")],
    ["filesystem/read_file", { path: "a.ts" }, read("a.ts")],
    ["read_multiple_files", { paths: ["a.ts", "b.ts", "a.ts"] }, several(read("a.ts"), read("b.ts"))],
    ["read_multiple_files", { paths: ["a.ts"] }, read("a.ts")],
    ["edit_file", { path: "a.ts", edits: [{ oldText: "x", newText: "y" }] }, edit("a.ts", "x")],
    ["edit_file", { path: "a.ts", edits: [{ oldText: "x", newText: "y" }], dryRun: true }, unknown],
    ["write_file", { path: "a.ts", content: "" }, write("a.ts")],
    ["list_directory", { path: "src" }, list],
    ["directory_tree", { path: "src" }, list],
    ["search_files", { path: "src", pattern: "x" }, search],
    ["create_directory", { path: "src" }, unknown],
    ["move_file", { source: "a.ts", destination: "b.ts" }, unknown],
    ["mcp__github__get_file_contents", { owner: "o", repo: "r", path: "a.ts" }, unknown],
    ["mcp__github__edit_file", { owner: "o", repo: "r", path: "a.ts", old_str: "x" }, unknown],
    ["git_diff", { repo_path: "/w" }, unknown],
    // Codex and opencode.
    ["apply_patch", { input: patch }, several(edit("src/a.ts", "first\nsecond", "fourth"), write("src/new.ts"))],
    ["apply_patch", { input: unmarked }, edit("a.ts", "x\n\ny", "w")],
    ["apply_patch", { patchText: moved }, several(edit("b.ts"), edit("a.ts", "x"), edit("c.ts"))],
    [
      "shell",
      { command: ["apply_patch", patch.split("*** Add")[0] ?? ""] },
      edit("src/a.ts", "first\nsecond", "fourth"),
    ],
    ["shell", { command: ["bash", "-lc", "cat a.ts"] }, read("a.ts")],
    ["exec_command", { cmd: "sed -n 1,9p a.ts" }, read("a.ts")],
    ["exec_command", { cmd: "cat src/a.ts", workdir: "/w" }, read("/w/src/a.ts")],
    ["exec_command", { cmd: "cd src && cat a.ts", workdir: "/w" }, read("/w/src/a.ts")],
    ["exec_command", { cmd: "cat a.ts", workdir: "" }, read("a.ts")],
    ["exec_command", { cmd: "cat a.ts && cat b.ts", workdir: "/w" }, several(read("/w/a.ts"), read("/w/b.ts"))],
    ["exec_command", { cmd: "sed -n '1,9p' a.ts; sed -n '20,29p' a.ts" }, read("a.ts")],
    [
      "exec_command",
      { cmd: `cd /w && apply_patch <<'EOF'\n${moved}\nEOF` },
      several(edit("/w/b.ts"), edit("/w/a.ts", "x"), edit("/w/c.ts")),
    ],
    ["exec_command", { cmd: "cd /w; apply_patch <<'EOF'" }, command],
    ["apply_patch", { input: unified }, edit("src/a.ts", "one\ntwo")],
    ["apply_patch", { input: "no patch" }, unknown],
    ["edit", { filePath: "a.ts", oldString: "x", newString: "y" }, edit("a.ts", "x")],
    [
      "multiedit",
      {
        edits: [
          { filePath: "a", oldString: "x" },
          { filePath: "b", oldString: "y" },
        ],
      },
      several(edit("a", "x"), edit("b", "y")),
    ],
    // Gemini CLI, Cline, Roo, Cursor.
    ["read_file", { absolute_path: "/w/a.ts" }, read("/w/a.ts")],
    ["read_many_files", { paths: ["src/**/*.ts"] }, unknown],
    ["replace", { file_path: "a.ts", old_string: "x", new_string: "y" }, edit("a.ts", "x")],
    ["run_shell_command", { command: "npm test" }, command],
    ["search_file_content", { pattern: "x" }, search],
    ["replace_in_file", { path: "a.ts", diff: blocks }, edit("a.ts", "one\ntwo", "seven")],
    ["write_to_file", { path: "a.ts", content: "x" }, write("a.ts")],
    [
      "read_file",
      { args: "<file><path>a.ts</path></file><file><path>b.ts</path></file>" },
      several(read("a.ts"), read("b.ts")),
    ],
    ["read_file", { files: [{ path: "a.ts", line_ranges: ["1-9"] }] }, read("a.ts")],
    ["read_file", { target_file: "a.ts" }, read("a.ts")],
    ["edit_file", { target_file: "a.ts", code_edit: "x" }, edit("a.ts")],
    ["codebase_search", { query: "x" }, search],
    // oh-my-pi's edits by line.
    [
      "edit",
      { path: "a.ts", edits: [{ set_line: { anchor: "3:ab", new_text: "x" } }, { replace: { old_text: "y" } }] },
      edit("a.ts", "y"),
    ],
    // Unknown tools and wrong shapes.
    ["unheard_of", { path: "a.ts", old_text: "x" }, edit("a.ts", "x")],
    ["unheard_of", { path: "a.ts", search: "x", find: "y", old: "z" }, unknown],
    ["unheard_of", { path: "a.ts" }, unknown],
    ["unheard_of", { path: "a.ts", content: "x" }, unknown],
    ["read", { path: "a.ts", old_string: "x" }, read("a.ts")],
    ["write", { path: "a.ts" }, unknown],
    ["edit", { path: "a.ts", edits: [null, 3, "x"] }, edit("a.ts")],
    ["read", { path: 3 }, unknown],
    ["read", JSON.parse('{"__proto__":{"path":"a.ts"}}'), unknown],
    ["constructor", { path: "a.ts" }, unknown],
    ["", {}, unknown],
    ["x".repeat(1000), { path: "a.ts" }, unknown],
    ["read_files", { paths: Array.from({ length: 101 }, (_, at) => `${at}.ts`) }, unknown],
  ])("%s %j", (tool, args, expected) => {
    expect(toolAction(tool, args)).toEqual(expected);
  });

  it("names each file of a call on several once", () => {
    const action = toolAction("read_files", { paths: ["a.ts", "b.ts"] });

    expect(fileActions(action).map((file) => file.path)).toEqual(["a.ts", "b.ts"]);
  });
});

describe("what a call did, by its output", () => {
  const header = "[File: /w/src/a.py (1997 lines total)]\n(1456 more lines above)\n1457: x";

  it.each<[string, JsonObject, string, unknown]>([
    ["fetch_source", { path: "a.ts" }, "   12→one\n   13→two\n   14→three", read("a.ts")],
    ["fetch_source", { path: "a.ts" }, "1: one\n2: two\n3: three", read("a.ts")],
    ["fetch_source", { path: "a.ts" }, "12: one\n40: two\n41: three", unknown],
    ["fetch_source", { path: "a.ts", pattern: "o" }, "1: one\n2: two\n3: three", unknown],
    ["alter", { path: "src/a.ts", to: "x" }, "The file /w/src/a.ts has been updated.", edit("src/a.ts")],
    ["alter", { path: "src/a.ts", to: "x" }, "The database has been updated.", unknown],
    ["goto", { line_number: 1457 }, header, read("/w/src/a.py")],
    ["bash", { command: 'open "src/a.py" 1474' }, header, read("/w/src/a.py")],
    ["bash", { command: "edit 12:20\nx\nend_of_edit" }, `Text replaced.\n${header}`, edit("/w/src/a.py")],
    ["edit", { search: "x", replace: "y" }, `Text replaced.\n${header}`, edit("/w/src/a.py", "x")],
    ["bash", { command: "create a.py" }, "[File: /w/a.py (1 lines total)]\n1:", write("/w/a.py")],
    ["create", { path: "a.py" }, "[File: /w/a.py (1 lines total)]\r\n1:", write("/w/a.py")],
    ["create", { path: "a.py" }, "Error: a.py already exists.", unknown],
    ["bash", { command: "python a.py" }, header, command],
    [
      "str_replace_editor",
      { command: "view", path: "src" },
      "Here's the files and directories up to 2 levels deep in src",
      list,
    ],
    [
      "read",
      { filePath: "/w/src" },
      "<path>/w/src</path>\n<type>directory</type>\n<entries>\na.ts\n\n(1 entries)\n</entries>",
      list,
    ],
    [
      "edit",
      { path: "a.ts", oldText: "x" },
      "Could not find the exact text in a.ts.",
      { ...edit("a.ts", "x"), failed: true },
    ],
    [
      "Edit",
      { file_path: "a.ts", old_string: "x" },
      "<tool_use_error>String to replace not found",
      { ...edit("a.ts", "x"), failed: true },
    ],
    ["read", { path: "a.ts" }, "File not found: a.ts", { ...read("a.ts"), failed: true }],
    ["open", { path: "a.py" }, "File a.py not found", { ...read("a.py"), failed: true }],
    [
      "Read",
      { file_path: "a.ts", offset: 90 },
      "<system-reminder>Warning: the file exists but is shorter than the provided offset (90).</system-reminder>",
      { ...read("a.ts"), failed: true },
    ],
    [
      "read",
      { path: "a.log" },
      "[Line 1 is 58.6KB, exceeds 50.0KB limit. Use bash: sed -n '1p' a.log | head -c 51200]",
      { ...read("a.log"), failed: true },
    ],
    [
      "Read",
      { file_path: "a.ts" },
      "File unchanged since last read. What was read before is still current.",
      { ...read("a.ts"), failed: true },
    ],
    ["read", { path: "a.log" }, `Error: one\n${"x".repeat(600)}`, read("a.log")],
    ["Edit", { file_path: "a.ts", old_string: "x" }, "The file a.ts has been updated.", edit("a.ts", "x")],
    ["read", { path: "a.ts" }, "The file a.ts has been updated.", read("a.ts")],
  ])("%s %j %s", (tool, args, text, expected) => {
    expect(toolAction(tool, args, { text, status: "ok" })).toEqual(expected);
  });

  it("is a failure where the harness says so", () => {
    const action = toolAction("edit", { path: "a.ts", oldText: "x" }, { text: null, status: "fail" });

    expect(action).toEqual({ ...edit("a.ts", "x"), failed: true });
  });
});

// Anything but linear work on these takes minutes, far over the runner's limit for one test.
describe("work on calls made to be slow", () => {
  it.each<[string, JsonObject, string, ToolAction["does"]]>([
    ["apply_patch", { input: `*** Begin Patch\n${"*** Update File: ".repeat(11_000)}` }, "", "edit"],
    ["apply_patch", { input: `*** Begin Patch\n${"*** Update File: a\n@@\n-x\n".repeat(7_000)}` }, "", "other"],
    ["apply_patch", { input: `--- a\n+++ b\n${"@@ -1 +1 @@\n-x\n+y\n".repeat(10_000)}` }, "", "edit"],
    ["replace_in_file", { path: "a", diff: "<<<<<<< SEARCH\n=======\n".repeat(200_000) }, "", "edit"],
    ["replace_in_file", { path: "a", diff: `<<<<<<< SEARCH${" ".repeat(3_000_000)}x` }, "", "edit"],
    ["read_file", { args: "<path>".repeat(500_000) }, "", "other"],
    ["multiedit", { edits: Array.from({ length: 100_000 }, () => ({ path: "a", old_string: "x" })) }, "", "edit"],
    ["_".repeat(200), { command: "cd ".repeat(1_000_000) }, "", "other"],
    ["unheard_of", { path: "a" }, " ".repeat(5_000_000), "other"],
    ["goto", {}, "[File: ".repeat(1_000_000), "other"],
    ["goto", {}, `[File: ${"( ".repeat(1_000_000)}`, "other"],
  ])("follows the length of the call of %s", (tool, args, text, expected) => {
    const action = toolAction(tool, args, { text, status: "ok" });

    expect(action.does).toBe(expected);
  });
});
