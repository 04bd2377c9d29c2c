import type { JsonObject } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { pathReadBy } from "../../src/tools/shell-read.ts";
import { toolAction } from "../../src/tools/tool-action.ts";

describe("what a call did", () => {
  it.each<[string, JsonObject, unknown]>([
    ["read", { path: "a.ts" }, { does: "read", path: "a.ts" }],
    ["Read", { file_path: "/w/a.ts", offset: 3 }, { does: "read", path: "/w/a.ts" }],
    ["mcp__files__read_file", { path: "a.ts" }, { does: "read", path: "a.ts" }],
    ["edit", { path: "a.ts", oldText: "x", newText: "y" }, { does: "edit", path: "a.ts", replaced: ["x"] }],
    ["Edit", { file_path: "a.ts", old_string: "x", new_string: "" }, { does: "edit", path: "a.ts", replaced: ["x"] }],
    [
      "MultiEdit",
      {
        file_path: "a.ts",
        edits: [
          { old_string: "x", new_string: "1" },
          { old_string: "y", new_string: "2" },
        ],
      },
      { does: "edit", path: "a.ts", replaced: ["x", "y"] },
    ],
    ["str_replace_editor", { command: "view", path: "a.ts" }, { does: "read", path: "a.ts" }],
    [
      "str_replace_editor",
      { command: "str_replace", path: "a.ts", old_str: "x" },
      { does: "edit", path: "a.ts", replaced: ["x"] },
    ],
    ["unheard_of", { path: "a.ts", old_text: "x" }, { does: "edit", path: "a.ts", replaced: ["x"] }],
    ["Write", { file_path: "a.ts", content: "x" }, { does: "write", path: "a.ts" }],
    ["Bash", { command: "cat a.ts" }, { does: "read", path: "a.ts" }],
    ["bash", { command: "npm test" }, { does: "other" }],
    ["Grep", { pattern: "x", path: "src" }, { does: "other" }],
    ["Glob", { pattern: "*.ts" }, { does: "other" }],
    ["unheard_of", { path: "a.ts" }, { does: "other" }],
    ["write", { path: "a.ts" }, { does: "other" }],
    ["edit", { path: "a.ts", edits: [null, 3, "x"] }, { does: "edit", path: "a.ts", replaced: [] }],
    ["read", { path: 3 }, { does: "other" }],
    ["read", JSON.parse('{"__proto__":{"path":"a.ts"}}'), { does: "other" }],
    ["", {}, { does: "other" }],
  ])("%s %j", (tool, args, expected) => {
    expect(toolAction(tool, args)).toEqual(expected);
  });
});

describe("the file that a command prints", () => {
  it.each<[string, string | undefined]>([
    ["cat a.ts", "a.ts"],
    ["cat -n 'my file.ts'", "my file.ts"],
    ["cd /w/app && cat src/a.ts", "/w/app/src/a.ts"],
    ["cd /w/app && cat /etc/hosts", "/etc/hosts"],
    ["sed -n '10,40p' src/a.ts", "src/a.ts"],
    ["sed -n 10,40p src/a.ts | head -20", "src/a.ts"],
    ["head -n 50 a.ts", "a.ts"],
    ["tail -30 a.ts 2>/dev/null", "a.ts"],
    ["cat a.ts | head -100", "a.ts"],
    ["cat a.ts b.ts", undefined],
    ["cat a.ts > b.ts", undefined],
    ["cat a.ts | grep x", undefined],
    ["cat a.ts; rm a.ts", undefined],
    ["cat $(ls)", undefined],
    ["cat *.ts", undefined],
    ["sed -i s/x/y/ a.ts", undefined],
    ["cat << EOF", undefined],
    ["echo cat a.ts", undefined],
    [`cat ${"a".repeat(600)}`, undefined],
  ])("%s", (command, expected) => {
    expect(pathReadBy(command)).toBe(expected);
  });

  it("is found in bounded time in a command made to be slow", () => {
    const start = performance.now();

    pathReadBy(`cat ${" -n".repeat(150)} !`);
    pathReadBy(`head ${" -n 1".repeat(90)} !`);
    pathReadBy(`cat a ${"| head ".repeat(70)} !`);

    expect(performance.now() - start).toBeLessThan(100);
  });
});
