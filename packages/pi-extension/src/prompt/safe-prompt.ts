import type { BranchItem, ResultItem, SaidItem } from "../branch/branch-item.ts";
import { limits } from "../limits.ts";
import { copied } from "../messages/copied.ts";
import { blocksOf, saidOf } from "../messages/said-text.ts";
import type { PiMessage } from "../pi/pi-types.ts";

/** Stands where output is left out because nothing of ours can be asked. */
const notice = (chars: number): string =>
  `[${chars} characters of output are left out: the context manager cannot be reached. Run the call again if you need them.]`;

/** Stands behind the start of the newest output where all of it would be too much. */
const cutNotice = (chars: number): string =>
  `\n[${chars} more characters are left out: the context manager cannot be reached.]`;

/**
 * A prompt from the branch alone (reliability F18): every message in its place, of the outputs only the newest ones. Small
 * where the raw history would not be, and made without session, store and renderer. Shares nothing with the branch.
 */
export function safePrompt(items: readonly BranchItem[]): PiMessage[] {
  const full = newestResults(items);
  return items.map((item) => {
    if (item.kind === "said") return saidMessage(item);
    if (item.kind === "answer") return copied(item.message);
    const { content, ...message } = item.message;
    return copied({ ...message, content: full.get(item) ?? withoutOutput(content) });
  });
}

function saidMessage(item: SaidItem): PiMessage {
  const { text, images } = saidOf(item);
  return { role: "user", content: [{ type: "text", text }, ...copied(images)], timestamp: 0 };
}

type Content = ResultItem["message"]["content"];

/** The newest one is there at least with its start: a model that sees nothing of what it does does it again. */
function newestResults(items: readonly BranchItem[]): ReadonlyMap<BranchItem, Content> {
  const full = new Map<BranchItem, Content>();
  let left: number = limits.safeCharsMax;
  for (const item of items.toReversed()) {
    if (item.kind !== "result") continue;
    const { content } = item.message;
    left -= blocksOf(content).text.length;
    if (full.size >= limits.safeCallsMax || (left < 0 && full.size > 0)) break;
    full.set(item, left < 0 ? startOf(content) : content);
  }
  return full;
}

function startOf(content: Content): Content {
  const { text, images } = blocksOf(content);
  const start = text.slice(0, limits.safeCharsMax).toWellFormed();
  return [{ type: "text", text: start + cutNotice(text.length - start.length) }, ...images];
}

function withoutOutput(content: Content): Content {
  const { text } = blocksOf(content);
  const line = notice(text.length);
  return [{ type: "text", text: text.length <= line.length ? text : line }];
}
