import { describe, expect, it } from "vitest";
import { neededLines } from "../../src/measure/needed.ts";

const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n one\n-second\n+2nd\n@@\n-third\n*** End Patch";

describe("the text that edits need in view", () => {
  it.each([
    ["Edit", { file_path: "a.ts", old_string: "one\n  second\n", new_string: "2" }, ["second"]],
    ["edit", { path: "a.ts", edits: [{ oldText: "one" }, { oldText: " \n" }] }, ["one"]],
    ["edit", { filePath: "a.ts", oldString: "one", newString: "1" }, ["one"]],
    ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "one" }, { old_string: "second" }] }, ["one", "second"]],
    ["str_replace_editor", { command: "str_replace", path: "a.ts", old_str: "one" }, ["one"]],
    ["apply_patch", { input: patch }, ["second", "third"]],
    ["shell", { command: ["apply_patch", patch] }, ["second", "third"]],
    ["Write", { file_path: "a.ts", content: "one" }, []],
    ["Bash", { command: "cat a.ts" }, []],
  ])("%s %j", (name, args, expected) => {
    expect(neededLines({ calls: [{ id: "1", name, args }] })).toEqual(expected);
  });
});
