import type { BranchItem, ResultItem } from "../branch/branch-item.ts";
import { limits } from "../limits.ts";
import { blocksOf, saidOf } from "../messages/said-text.ts";
import type { PiMessage } from "../pi/pi-types.ts";

/** Stands where output is left out because nothing of ours can be asked. */
const notice = (chars: number): string =>
  `[${chars} characters of output are left out: the context manager cannot be reached. Run the call again if you need them.]`;

/**
 * A prompt from the branch alone (reliability F18): every message in its place, of the outputs only the newest ones. Small
 * where the raw history would not be, and made without session, store and renderer.
 */
export function safePrompt(items: readonly BranchItem[]): PiMessage[] {
  const full = newestResults(items);
  return items.map((item) => (item.kind === "result" && !full.has(item) ? withoutOutput(item) : plainMessage(item)));
}

/** An item as Pi would send it, as a copy. */
export function plainMessage(item: BranchItem): PiMessage {
  if (item.kind !== "said") return { ...item.message };
  const { text, images } = saidOf(item);
  return { role: "user", content: [{ type: "text", text }, ...images], timestamp: 0 };
}

function newestResults(items: readonly BranchItem[]): ReadonlySet<BranchItem> {
  const full = new Set<BranchItem>();
  let left: number = limits.safeCharsMax;
  for (const item of items.toReversed()) {
    if (item.kind !== "result") continue;
    left -= blocksOf(item.message.content).text.length;
    if (full.size >= limits.safeCallsMax || left < 0) break;
    full.add(item);
  }
  return full;
}

function withoutOutput({ message }: ResultItem): PiMessage {
  const { text } = blocksOf(message.content);
  const line = notice(text.length);
  return { ...message, content: [{ type: "text", text: text.length <= line.length ? text : line }] };
}
