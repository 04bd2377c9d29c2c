// Verifies: decision 63: the branch is read as the model would see it without us, but for compactions of ours.
import { describe, expect, it } from "vitest";
import type { BranchItem } from "../../src/branch/branch-item.ts";
import { branchItems, ownDetails } from "../../src/branch/branch-items.ts";
import { keptMark } from "../../src/branch/kept-mark.ts";
import { saidOf } from "../../src/branch/said-text.ts";
import { answerMessage, call, entriesOf, entry, resultMessage, text, userMessage } from "../support/items.ts";

const says = (item: BranchItem): string => (item.kind === "said" ? saidOf(item).text : `${item.kind} ${item.entry}`);
const compaction = { type: "compaction", summary: "what was", tokensBefore: 9 } as const;
const compactionSummary = `The printer needs comments.${keptMark}## Files`;
const command = { role: "bashExecution", command: "ls", output: "a.ts", exitCode: 0, cancelled: false } as const;

describe("the branch as items", () => {
  it("has what was said, answers and results, and nothing of entries that no model sees", () => {
    const entries = entriesOf([
      { type: "model_change", provider: "p", modelId: "m" },
      entry(userMessage("hello")),
      { type: "custom", customType: "cm-link", data: {} },
      entry(answerMessage([call("c1")])),
      { type: "label", targetId: "e1", label: "here" },
      entry(resultMessage("c1", "out")),
      { type: "custom_message", customType: "x", content: "from an extension", display: true },
    ]);

    const items = branchItems(entries);

    expect(items.map(says)).toEqual(["hello", "answer e3", "result e5", "from an extension"]);
    expect(items.map((item) => item.entry)).toEqual(["e1", "e3", "e5", "e6"]);
  });

  it("leaves out what lies before the entry that a compaction of another extension keeps", () => {
    const entries = entriesOf([
      entry(userMessage("old")),
      entry(userMessage("kept")),
      { ...compaction, firstKeptEntryId: "e1" },
      entry(userMessage("new")),
    ]);

    const items = branchItems(entries);

    expect(items.map(says)).toEqual([expect.stringContaining("what was"), "kept", "new"]);
    expect(items[0]?.entry).toBe("e2");
  });

  it("goes by the newest compaction of others, and keeps nothing before it where its first entry is not there", () => {
    const entries = entriesOf([
      entry(userMessage("old")),
      { ...compaction, summary: "first", firstKeptEntryId: "e0" },
      entry(userMessage("between")),
      { ...compaction, summary: "second", firstKeptEntryId: "nowhere" },
      entry(userMessage("new")),
    ]);

    expect(branchItems(entries).map(says)).toEqual([expect.stringContaining("second"), "new"]);
  });

  it("hides nothing behind a compaction of ours, and shows only what the user asked for with it", () => {
    const own = { ...compaction, firstKeptEntryId: "e1" };
    const entries = entriesOf([
      entry(userMessage("old")),
      { ...own, details: ownDetails },
      entry(userMessage("kept")),
      { ...own, details: { ...ownDetails, instructions: "the tests" } },
      { ...own, details: { ...ownDetails, instructions: 7 } },
    ]);

    expect(branchItems(entries).map(says)).toEqual(["old", "kept", expect.stringContaining("keep in mind: the tests")]);
  });

  it("shows the summary, and not what stands beside it, where a compaction wants what was said shortened", () => {
    const summary = compactionSummary;
    const details = { ...ownDetails, foldToBytes: 9, dialogueToBytes: 9, instructions: "the tests" };
    const entries = entriesOf([entry(userMessage("old")), { ...compaction, summary, firstKeptEntryId: "e0", details }]);

    const [, told = ""] = branchItems(entries).map(says);

    expect(told).toContain("<summary>\nThe printer needs comments.\n</summary>");
    expect(told).toContain("keep in mind: the tests");
  });

  it("takes details of others for what they are, whatever their shape", () => {
    for (const details of [undefined, null, 1, "cm", [], { cm: 2 }, { cm: "1" }]) {
      const entries = entriesOf([entry(userMessage("old")), { ...compaction, firstKeptEntryId: "e1", details }]);
      expect(branchItems(entries).map(says)).toEqual([expect.stringContaining("what was")]);
    }
  });

  it("has the user's own commands, but not those that the model is not to see", () => {
    const entries = entriesOf([
      entry({ ...command, truncated: false, timestamp: 0 }),
      entry({ ...command, truncated: false, timestamp: 0, excludeFromContext: true }),
    ]);

    expect(branchItems(entries).map(says)).toEqual(["Ran `ls`\n```\na.ts\n```"]);
  });

  it("has summaries of branches, but no empty ones", () => {
    const entries = entriesOf([
      { type: "branch_summary", fromId: "x", summary: "over there" },
      { type: "branch_summary", fromId: "x", summary: "" },
    ]);

    expect(branchItems(entries).map(says)).toEqual([expect.stringContaining("over there")]);
  });

  it("leaves out answers that broke off, as Pi does", () => {
    const entries = entriesOf([
      entry(answerMessage([text("half")], { stopReason: "aborted" })),
      entry(answerMessage([text("half")], { stopReason: "error" })),
      entry(answerMessage([text("cut")], { stopReason: "length" })),
    ]);

    expect(branchItems(entries).map(({ entry: id }) => id)).toEqual(["e2"]);
  });

  it("leaves out results that no call of the newest answer waits for", () => {
    const entries = entriesOf([
      entry(answerMessage([call("a")], { stopReason: "aborted" })),
      entry(resultMessage("a", "of an answer that broke off")),
      entry(answerMessage([call("b"), call("c")])),
      entry(resultMessage("b", "first")),
      entry(resultMessage("b", "again")),
      entry(resultMessage("c", "first")),
      entry(answerMessage([])),
      entry(resultMessage("c", "late")),
    ]);

    expect(branchItems(entries).map(({ entry: id }) => id)).toEqual(["e2", "e3", "e5", "e6"]);
  });
});
