// Verifies: decision 78: the tokens that a compaction names are those that were sent, not those of the raw history.
import type { RenderedPrompt } from "@cm/context-log";
import { expect, it } from "vitest";
import { sentTokens } from "../../src/compaction/sent-tokens.ts";
import type { PiMessage, SessionEntry } from "../../src/pi/pi-types.ts";
import { answer, branchOf, call, prompt } from "./support/entries.ts";

const counted = (tokens: number, message: PiMessage = answer("Done.")): PiMessage => {
  if (message.role !== "assistant") throw new Error("Only answers are counted.");
  return { ...message, usage: { ...message.usage, totalTokens: tokens } };
};
const result = (text: string): PiMessage => ({
  ...{ role: "toolResult", toolCallId: "c", toolName: "read", isError: false, timestamp: 0 },
  content: [{ type: "text", text }],
});
const compaction: SessionEntry = {
  ...{ type: "compaction", id: "c", parentId: null, timestamp: "2026-11-22T12:00:00.000Z" },
  ...{ summary: "what was", firstKeptEntryId: "0", tokensBefore: 9 },
};
const sent: RenderedPrompt = {
  ...{ layout: "any/1", system: "s".repeat(400), messages: [], chars: 4_000, kept: { messages: 0, chars: 0 } },
};
const long = "x".repeat(4_000);

it.each([
  ["as the provider counted", branchOf(prompt(long), counted(700)), 700],
  ["with what came since", branchOf(counted(700, call("read")), result(long), prompt(long)), 2_700],
  ["but not a request that failed", branchOf(counted(700), prompt(long), counted(9_000, answer("", "error"))), 1_700],
  ["of our prompt without a count", branchOf(prompt(long), answer("Done.")), 1_100],
  ["of our prompt behind a compaction", [...branchOf(counted(700)), compaction, ...branchOf(prompt(long))], 1_100],
] as const)("are taken %s", (_, entries, tokens) => {
  expect(sentTokens(entries, sent)).toBe(tokens);
});

it("are unknown without a count and no prompt was made", () => {
  expect(sentTokens(branchOf(prompt(long)), undefined)).toBeUndefined();
});
