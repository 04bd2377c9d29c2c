// Verifies: files of SWE-agent are read into the one shape of recordings; their commands are tool calls.
import { describe, expect, it } from "vitest";
import { readRecording } from "../src/index.ts";
import { actionTool } from "../src/swe-agent/action.ts";
import { shellWords } from "../src/swe-agent/shell-words.ts";
import { judged, recordedFiles } from "./recorded-file.ts";

const files = recordedFiles();

const step = (action: string, observation: string, openFile = "n/a") => ({
  ...{ action, observation, thought: `I do: ${action.split(" ")[0]}`, response: "unused" },
  state: { open_file: openFile, working_dir: "/repo" },
});

const trajectory = {
  environment: "main",
  history: [
    { role: "system", content: "You work in a shell." },
    { role: "user", content: [{ type: "text", text: "Please fix the rounding." }] },
    { role: "assistant", content: "I do: open" },
    { role: "tool", content: "a repetition" },
  ],
  trajectory: [
    step('open "src/time span.py" 12', "[File: src/time span.py]\n12:x = 1", "/repo/src/time span.py"),
    step("edit 'x = 1' 'x = \"2\"'", "Text replaced.", "/repo/src/time span.py"),
    step("edit 'y' 'z'", "Your proposed edit has introduced new syntax error(s).", "/repo/src/time span.py"),
    step("python check.py && echo done", "done", "/repo/src/time span.py"),
    { ...step("", "Say one command."), thought: undefined, response: "I only think." },
    step("submit", "diff --git"),
  ],
  info: { exit_status: "submitted" },
};

describe("a file of SWE-agent", () => {
  it.each([
    ["on many lines", JSON.stringify(trajectory, null, 4)],
    ["on one line", JSON.stringify(trajectory)],
  ])("is told by its content and read step by step, %s", async (_how, content) => {
    const path = await files.write("any-name.txt", content);

    const recording = await readRecording(path);

    expect(recording).toMatchObject({ format: "swe-agent", cwd: "/repo", systemPrompt: "You work in a shell." });
    expect(judged(recording.events)).toEqual([
      ["user", "Please fix the rounding.", ""],
      ["assistant", "I do: open", '{"path":"src/time span.py","line_number":12}'],
      ["result", "[File: src/time span.py]\n12:x = 1", ""],
      ["assistant", "I do: edit", '{"path":"/repo/src/time span.py","old_string":"x = 1","new_string":"x = \\"2\\""}'],
      ["result", "Text replaced.", ""],
      ["assistant", "I do: edit", '{"path":"/repo/src/time span.py","old_string":"y","new_string":"z"}'],
      ["result", "Your proposed edit has introduced new syntax error(s).", ""],
      ["assistant", "I do: python", '{"command":"python check.py && echo done"}'],
      ["result", "done", ""],
      ["assistant", "I only think.", ""],
      ["user", "Say one command.", ""],
      ["assistant", "I do: submit", "{}"],
      ["result", "diff --git", ""],
    ]);
    const results = recording.events.filter((event) => event.kind === "result");
    expect(results.map(({ tool, failed }) => [tool, failed])).toEqual([
      ["open", false],
      ["edit", false],
      ["edit", true],
      ["bash", false],
      ["submit", false],
    ]);
  });

  it("reads states that older versions wrote as JSON, and says how many steps it left out", async () => {
    const old = { ...step("ls", "a"), state: '{"open_file": "/repo/b", "working_dir": "/repo"}' };
    const path = await files.write("old.traj", JSON.stringify({ trajectory: [old, 5, step("scroll_down", "b")] }));

    const { cwd, events, warnings } = await readRecording(path);

    expect(cwd).toBe("/repo");
    expect(events.map(({ kind }) => kind)).toEqual(["assistant", "result", "assistant", "result"]);
    expect(warnings).toEqual(["1 step is unreadable and left out."]);
  });

  it.each([
    ["another JSON file", '{\n  "a": 1\n}'],
    ["one without steps", '{"trajectory": [], "history": []}'],
    ["steps of another kind", '{"trajectory": [{"x": 1}, {"y": 2}]}'],
  ])("is not %s", async (_what, content) => {
    const path = await files.write("other.traj", content);

    await expect(readRecording(path)).rejects.toMatchObject({ code: "recording/not-a-session" });
  });
});

describe("an action of SWE-agent", () => {
  it.each([
    ["open a.py", "open", { path: "a.py" }],
    ["goto 20", "goto", { path: "/repo/a.py", line_number: 20 }],
    [
      "edit 3:4\n  x = 1\nend_of_edit",
      "edit",
      { path: "/repo/a.py", start_line: 3, end_line: 4, new_string: "  x = 1" },
    ],
    ["insert 'a\nb' 7", "insert", { path: "/repo/a.py", text: "a\nb", line: 7 }],
    ['search_dir "def main" src', "search_dir", { query: "def main", dir: "src" }],
    [
      "str_replace_editor str_replace /repo/b.py --old_str 'it'\"'\"'s' --new_str ''",
      "str_replace_editor",
      { command: "str_replace", path: "/repo/b.py", old_str: "it's", new_str: "" },
    ],
    [
      "str_replace_editor view /repo/b.py --view_range 1 40",
      "str_replace_editor",
      { command: "view", path: "/repo/b.py", view_range: [1, 40] },
    ],
    ["opening hours", "bash", { command: "opening hours" }],
    ["edit 'never closed", "bash", { command: "edit 'never closed" }],
    ["str_replace_editor view b --__proto__ 1", "bash", { command: "str_replace_editor view b --__proto__ 1" }],
    ["constructor x", "bash", { command: "constructor x" }],
  ])("%j is a call of a tool", (action, name, args) => {
    expect(actionTool(action, "/repo/a.py")).toEqual({ name, args });
  });

  it.each<[string, readonly string[] | undefined]>([
    ["a  b\tc\n", ["a", "b", "c"]],
    ["'a b' \"c \\\" $d\" e\\ f ''", ["a b", 'c " $d', "e f", ""]],
    ["\"keep \\n\" 'keep \\'", ["keep \\n", "keep \\"]],
    ["a 'b", undefined],
    ["", []],
  ])("%j has words", (text, words) => {
    expect(shellWords(text)).toEqual(words);
  });
});
