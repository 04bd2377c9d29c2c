// @module-tag process
// Verifies: what is scored as solved and as cited is so, and what only looks so is not.
import { describe, expect, it } from "vitest";
import type { ScriptedAnswer } from "../../src/live/scripted/script.ts";
import { checkAnswer } from "../../src/live/tasks/check-answer.ts";
import { checkTests } from "../../src/live/tasks/check-tests.ts";
import type { Task } from "../../src/live/tasks/task.ts";
import { workingFolder } from "../example/working-folder.ts";
import { bytesOf, runAnswers, taskOf } from "./support/scripted-run.ts";

const run = (task: Task, answers: readonly Partial<ScriptedAnswer>[]) =>
  runAnswers(task, answers, { protocol: "anthropic", policy: "log" });

const tested = taskOf(
  { "sum.mjs": "export const sum = (a, b) => a - b;\n" },
  {
    check: { kind: "tests", passes: 2 },
    checkFiles: new Map([
      [
        "sum.test.mjs",
        bytesOf(`import assert from "node:assert/strict";
import test from "node:test";
import { sum } from "../sum.mjs";
test("adds", () => assert.equal(sum(1, 2), 3));
test("adds nothing", () => assert.equal(sum(1, 0), 1));
`),
      ],
    ]),
  },
);
describe("a coding task", () => {
  it.each([
    ["a right patch", "export const sum = (a, b) => a + b;\n", true],
    ["a wrong patch", "export const sum = (a, b) => a * b;\n", false],
  ])("scores %s", async (_what, content, solved) => {
    const calls = [{ tool: "write", args: { path: "sum.mjs", content } }];

    const result = await run(tested, [{ calls }, { text: "Done." }]);

    expect(result).toMatchObject({ solved, end: "answered" });
  });

  const folder = workingFolder();

  it("is not solved by code that ends the process, or prints sums of its own, before a test runs", async () => {
    await folder.file(
      "sum.mjs",
      'console.log("# pass 2\\n# fail 0");\nexport const sum = () => 3;\nprocess.exit(0);\n',
    );

    expect(await checkTests(tested.checkFiles, 2, folder.workspace())).toMatchObject({ solved: false });
  });
});

const quoted = taskOf(
  { "a.txt": "the first line is long enough\nthe second line\n", "b.txt": "nobody reads this one line\n" },
  { quotes: { min: 1, of: ["a.txt"] } },
);
const look = { calls: [{ tool: "read", args: { path: "a.txt" } }] };
const answer = (...lines: readonly string[]) => ({ text: [...lines, "ANSWER: yes"].join("\n") });

describe("citations", () => {
  it("are good where all of them stand in what they cite, by whichever path", async () => {
    const lines = ["QUOTE a.txt: the first line is long", "- QUOTE `/task/a.txt`: the second line"];

    const result = await run(quoted, [look, answer(...lines)]);

    expect(result.citations).toEqual({ ok: true, given: 2, found: 2 });
  });

  it("are worth nothing with one that is made up, of an unread or absent file, or of a word alone", async () => {
    const bad = [
      "QUOTE a.txt: the first line is short enough",
      "QUOTE b.txt: nobody reads this one line",
      "QUOTE c.txt: the first line is long",
      "QUOTE a.txt: line",
    ];

    const result = await run(quoted, [look, answer("QUOTE a.txt: the first line is long", ...bad)]);

    expect(result).toMatchObject({ solved: true, citations: { ok: false, given: 5, found: 1 } });
  });

  it("hold against the version that the agent had at the end", async () => {
    const edits = [{ oldText: "first", newText: "1st" }];
    const change = { calls: [{ tool: "edit", args: { path: "a.txt", edits } }] };
    const both = answer("QUOTE a.txt: the 1st line is long", "QUOTE a.txt: the first line is long");

    const result = await run(quoted, [look, change, both]);

    expect(result.citations).toEqual({ ok: false, given: 2, found: 1 });
  });

  it("are missed where there are none", async () => {
    const result = await run(quoted, [answer()]);

    expect(result).toMatchObject({ solved: true, citations: { ok: false, given: 0, found: 0 } });
  });
});

describe("an answer", () => {
  it.each([
    ["ANSWER: yes", true],
    ["I think so.\n\n**ANSWER: `yes`.**", true],
    ["ANSWER: no\nANSWER: yes", true],
    ["ANSWER: yes\nANSWER: no", false],
    ["yes", false],
  ])("is the last one of %j", (text, solved) => {
    expect(checkAnswer(text, { kind: "exact", answer: "yes" }).solved).toBe(solved);
  });

  it("has to match a pattern from end to end", () => {
    const check = { kind: "pattern", answer: "4(\\.0)?" } as const;

    const solved = ["ANSWER: 4.0", "ANSWER: 44"].map((text) => checkAnswer(text, check).solved);

    expect(solved).toEqual([true, false]);
  });
});
