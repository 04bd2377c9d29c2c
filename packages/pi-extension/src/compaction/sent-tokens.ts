import type { RenderedPrompt } from "@cm/context-log";
import type { PiAssistant, SessionEntry } from "../pi/pi-types.ts";
import { compactionLimits } from "./limits.ts";

/**
 * How many tokens stood in the session's requests: as the provider counted the newest one, with what came since. Pi's own
 * number is the same, but for a provider that counts nothing and behind a refusal: there it is that of the raw history,
 * which was not sent; then it is the newest prompt's. Undefined where nothing is known.
 */
export function sentTokens(entries: readonly SessionEntry[], prompt: RenderedPrompt | undefined): number | undefined {
  const from = entries.findLastIndex(({ type }) => type === "compaction") + 1;
  for (let place = entries.length - 1; place >= from; place -= 1) {
    const usage = usageOf(entries[place]);
    if (usage !== undefined) return usage + estimated(entries.slice(place + 1));
  }
  if (prompt === undefined) return undefined;
  return Math.ceil((prompt.system.length + prompt.chars) / compactionLimits.charsPerToken);
}

function usageOf(entry: SessionEntry | undefined): number | undefined {
  if (entry?.type !== "message" || entry.message.role !== "assistant") return undefined;
  const { stopReason, usage } = entry.message as Partial<PiAssistant>;
  if (usage === undefined || stopReason === "error" || stopReason === "aborted") return undefined;
  const tokens = usage.totalTokens || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return tokens > 0 ? tokens : undefined;
}

/** What came behind the newest answer was not sent yet, but stands before the compaction. */
function estimated(entries: readonly SessionEntry[]): number {
  const chars = entries.reduce((sum, entry) => {
    if (entry.type !== "message") return sum;
    const { message } = entry;
    return message.role === "user" || message.role === "toolResult" ? sum + charsOf(message.content) : sum;
  }, 0);
  return Math.ceil(chars / compactionLimits.charsPerToken);
}

function charsOf(content: string | readonly { readonly type: string; readonly text?: string }[]): number {
  if (typeof content === "string") return content.length;
  return content.reduce((sum, { text }) => sum + (text?.length ?? compactionLimits.imageChars), 0);
}
