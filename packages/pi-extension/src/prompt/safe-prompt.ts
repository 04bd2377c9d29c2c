import type { BranchItem, ResultItem, SaidItem } from "../branch/branch-item.ts";
import { copied } from "../branch/copied.ts";
import { blocksOf, saidOf } from "../branch/said-text.ts";
import { limits } from "../limits.ts";
import { type ExtensionChanges, noExtensionChanges } from "../others/extension-changes.ts";
import type { PiMessage } from "../pi/pi-types.ts";

/** Stands where output is left out because nothing of ours can be asked. */
const notice = (chars: number): string =>
  `[cm: ${chars} characters of output left out, and what keeps them cannot be reached now; repeat the call only if that does no harm]`;

/** Stands behind the start of the newest output where all of it would be too much. */
const cutNotice = (chars: number): string =>
  `\n[cm: ${chars} more ${chars === 1 ? "character" : "characters"} left out, and what keeps them cannot be reached now]`;

/**
 * A prompt from the branch alone (F18): every message in its place, of the outputs only the newest ones. Small
 * where the raw history would not be, and made without session, store and renderer. Shares nothing with the branch.
 */
export function safePrompt(
  items: readonly BranchItem[],
  { changed }: Pick<ExtensionChanges, "changed"> = noExtensionChanges,
): PiMessage[] {
  const left = items.map((item) => asLeft(item, changed.get(item.entry)));
  const full = newestResults(left);
  return left.map((item) => {
    if (item.kind === "said") return saidMessage(item);
    if (item.kind === "answer") return copied(item.message);
    const { content, ...message } = item.message;
    return copied({ ...message, content: full.get(item) ?? withoutOutput(content) });
  });
}

/** The item as others left it; what they took out as a whole goes later. */
function asLeft(item: BranchItem, version: PiMessage | null | undefined): BranchItem {
  if (version === undefined || version === null) return item;
  const { kind, entry } = item;
  if (kind === "answer") return version.role === "assistant" ? { kind, entry, message: version } : item;
  if (kind === "result") return version.role === "toolResult" ? { kind, entry, message: version } : item;
  return version.role === "assistant" || version.role === "toolResult" ? item : { kind, entry, message: version };
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
