import type { Prices } from "./prices.ts";
import type { PromptMessage, RenderedPrompt } from "./view.ts";

/** A prompt as far as caching goes. */
type MarkedPrompt = Pick<RenderedPrompt, "messages" | "kept" | "breakpoints">;

/**
 * After how many messages a request asks for caching, ascending: 0 is the end of system prompt and tools. Undefined
 * where the provider finds the places itself. The most useful come first where there are few: the tail; the longest
 * prefix that the request before had marked, where it cannot be found by looking back; the end of what a fold rewrote,
 * before which later garbage does not reach; the cut, or the marks that are left of earlier folds; the head.
 *
 * A pure function of two requests, so that a session that is resumed marks what it would have marked.
 * @param sent the request before, with its breakpoints
 */
export function breakpointsOf(
  prompt: MarkedPrompt,
  sent: MarkedPrompt | undefined,
  prices: Prices,
): readonly number[] | undefined {
  const { breakpointsMax } = prices;
  if (breakpointsMax === undefined) return undefined;
  const tail = placeBefore(prompt.messages, prompt.messages.length);
  const standing = standingMarks(prompt, sent);
  const served = standing.at(-1);
  const isLost = served !== undefined && !isFound(prompt.messages, { marked: served, from: tail }, prices);
  const wanted = [tail, ...(isLost ? [served] : []), ...checkpoints(prompt, sent, standing), 0];
  return [...new Set(wanted)].slice(0, Math.max(0, Math.floor(breakpointsMax))).sort((a, b) => a - b);
}

/**
 * How much of a request the provider's cache serves for certain: what is kept, or, where the provider caches only at
 * named places, the longest kept prefix that the request before had named and this one finds. Older marks may be served
 * too, but nobody counts on them. Undefined: nothing, not even the head.
 */
export function servedPrefix(
  prompt: MarkedPrompt,
  sent: MarkedPrompt | undefined,
  prices: Prices,
): RenderedPrompt["kept"] | undefined {
  if (prices.breakpointsMax === undefined) return prompt.kept;
  const { messages, breakpoints = [] } = prompt;
  const found = standingMarks(prompt, sent).findLast((marked) =>
    breakpoints.some((from) => isFound(messages, { marked, from }, prices)),
  );
  if (found === undefined) return undefined;
  let chars = 0;
  for (let place = 0; place < found; place += 1) chars += messages[place]?.chars ?? 0;
  return { messages: found, chars };
}

/** Marks of the request before whose prefix is still the same. */
function standingMarks({ kept }: MarkedPrompt, sent: MarkedPrompt | undefined): readonly number[] {
  return (sent?.breakpoints ?? []).filter((place) => place <= kept.messages);
}

/** Places between head and tail where a later fold may cut, the newest first. */
function checkpoints(
  { messages, kept }: MarkedPrompt,
  sent: MarkedPrompt | undefined,
  standing: readonly number[],
): readonly number[] {
  const sentCount = sent?.messages.length ?? 0;
  const earlier = standing.filter((place) => place > 0 && place < sentCount).reverse();
  if (kept.messages >= sentCount) return earlier;
  const rewritten = placeBefore(messages, Math.min(sentCount, messages.length));
  return [rewritten, placeBefore(messages, kept.messages), ...earlier];
}

/** The last place up to this one that can be named: providers take no mark behind what the model said. */
function placeBefore(messages: readonly PromptMessage[], place: number): number {
  let before = place;
  while (before > 0 && messages[before - 1]?.role === "assistant") before -= 1;
  return before;
}

function isFound(
  messages: readonly PromptMessage[],
  { marked, from }: { readonly marked: number; readonly from: number },
  { lookbackBlocks = 1 }: Prices,
): boolean {
  let blocks = 1;
  for (let place = from - 1; place >= marked && blocks <= lookbackBlocks; place -= 1) {
    const message = messages[place];
    blocks += message === undefined ? 0 : blocksOf(message);
  }
  return marked <= from && blocks <= lookbackBlocks;
}

/** Content blocks of a message on the wire, rather too many than too few. */
function blocksOf({ text, role, thinking = [], calls = [], attachments = [] }: PromptMessage): number {
  const said = role !== "assistant" || text !== "" ? 1 : 0;
  return Math.max(1, said + thinking.length + calls.length + attachments.length);
}
