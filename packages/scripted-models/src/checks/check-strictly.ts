import { anthropicFaults } from "../wire/anthropic/strict-anthropic.ts";
import type { CapturedRequest } from "../wire/captured-request.ts";
import { completionsFaults } from "../wire/completions/strict-completions.ts";
import type { SentMessage } from "../wire/sent-prompt.ts";
import { checkStructure } from "./check-structure.ts";

/**
 * Beside `checkStructure` what only a client of ours is held to: no member that the format does not name, roles by turns,
 * the blocks of an answer in their order, and with Anthropic a request for caching.
 */
export function checkStrictly(request: CapturedRequest): readonly string[] {
  const { body, format, index, sent } = request;
  const anthropic = format === "anthropic-messages";
  const said = [
    ...(anthropic ? anthropicFaults(body) : format === "openai-completions" ? completionsFaults(body) : []),
    ...checkOrder(sent.messages),
    ...(anthropic ? checkTurns(sent.messages) : []),
    ...(anthropic && !sent.pieces.some(({ marked }) => marked) ? ["There is no cache mark."] : []),
  ];
  return [...said.map((sentence) => `Request ${index}: ${sentence}`), ...checkStructure(request)];
}

function checkTurns(messages: readonly SentMessage[]): string[] {
  const twice = messages.findIndex(({ role }, at) => role === messages[at + 1]?.role);
  return twice === -1 ? [] : [`Messages ${twice} and ${twice + 1} have one role.`];
}

function checkOrder(messages: readonly SentMessage[]): string[] {
  return messages.flatMap(({ role, blocks }, at) => {
    if (role !== "assistant") return [];
    const ranks = blocks.map(({ kind }) => ["thinking", "text", "call"].indexOf(kind));
    const ordered = ranks.every((rank, index) => rank >= (ranks[index - 1] ?? 0));
    return ordered ? [] : [`Message ${at} has the blocks of an answer in another order.`];
  });
}
