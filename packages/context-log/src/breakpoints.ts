import type { Prices } from "./prices.ts";
import type { ContextView, PromptMessage, RenderedPrompt } from "./view.ts";

/** An output of so many UTF-16 units stands in full: references and small outputs are no reason to fold. */
const wholeOutputCharsMin = 3_000;

/** A prompt as far as caching goes. */
type MarkedPrompt = Pick<RenderedPrompt, "messages" | "kept" | "breakpoints">;

/**
 * After how many messages a request asks for caching, ascending: 0 is the end of system prompt and tools. Undefined
 * where the provider finds the places itself. Always the tail; the longest prefix that the request before had marked,
 * where it cannot be found by looking back; and of the head, the end of what a fold rewrote and the marks that still
 * stand those that lie farthest apart, so that wherever a later fold cuts there is a mark not far before. One stands
 * before the oldest output in full, where the next fold is likely to cut.
 *
 * A pure function of two requests, so that a session that is resumed marks what it would have marked.
 * @param sent the request before, with its breakpoints
 */
export function breakpointsOf(
  prompt: MarkedPrompt,
  sent: MarkedPrompt | undefined,
  prices: Prices,
): readonly number[] | undefined {
  const { messages } = prompt;
  if (prices.breakpointsMax === undefined) return undefined;
  const tail = placeBefore(messages, messages.length);
  const standing = standingMarks(prompt, sent);
  const served = standing.at(-1);
  const isFoundByTail = served === undefined || isFound(messages, { marked: served, from: tail }, prices);
  const sentBefore = placeBefore(messages, Math.min(sent?.messages.length ?? 0, messages.length));
  const next = nextCut(messages);
  const places = [...new Set([0, ...standing, next, sentBefore, tail])].sort((a, b) => a - b);
  const cut = prices.breakpointsMax > 2 ? [next] : [];
  const needed = isFoundByTail ? [...cut, tail] : [served, ...cut, tail];
  while (places.length > Math.max(0, prices.breakpointsMax)) places.splice(leastUseful(places, needed), 1);
  return places;
}

/** Before the oldest output that stands in full: where the next fold is likely to cut, so that it keeps what lies before. */
function nextCut(messages: readonly PromptMessage[]): number {
  const oldest = messages.findIndex(({ role, chars }) => role === "tool" && chars >= wholeOutputCharsMin);
  return placeBefore(messages, Math.max(0, oldest));
}

/** The place that lies nearest behind another one; where only needed ones are left, the first. */
function leastUseful(places: readonly number[], needed: readonly number[]): number {
  let least = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (const [index, place] of places.entries()) {
    const gap = place - (places[index - 1] ?? Number.NEGATIVE_INFINITY);
    if (gap >= smallest || needed.includes(place)) continue;
    least = index;
    smallest = gap;
  }
  return least;
}

/**
 * How much of a request the provider's cache serves for certain: what is kept, or, where the provider caches only at
 * named places, the longest kept prefix that the request before had named and this one finds. Older marks may be served
 * too, but no bill counts on them. Undefined: nothing, not even the head.
 */
export function servedPrefix(
  prompt: MarkedPrompt,
  sent: (MarkedPrompt & Pick<RenderedPrompt, "chars">) | undefined,
  prices: Prices,
): RenderedPrompt["kept"] | undefined {
  if (prices.breakpointsMax === undefined) return prompt.kept;
  const { messages, breakpoints = [] } = prompt;
  const found = standingMarks(prompt, sent).findLast((marked) =>
    breakpoints.some((from) => isFound(messages, { marked, from }, prices)),
  );
  if (found === undefined || sent === undefined) return undefined;
  // From the end, since the mark that is found is nearly always that of the tail before.
  let { chars } = sent;
  for (let place = found; place < sent.messages.length; place += 1) chars -= sent.messages[place]?.chars ?? 0;
  return { messages: found, chars };
}

/**
 * What a cut costs where the provider caches only at marks: for an entry of the log, the characters of the last request
 * before the newest mark that lies at or before it. All behind that mark is written anew, wherever behind it the cut
 * falls. Undefined where the provider finds every kept prefix itself. One pass over the messages that were sent, and a
 * look at the few marks for each entry.
 */
export function servedBefore(view: ContextView, prices: Prices): ((at: number) => number) | undefined {
  if (prices.breakpointsMax === undefined) return undefined;
  const marks = marksOf(view.sent?.messages ?? [], view.sent?.breakpoints ?? []);
  return (at) => marks.findLast((mark) => mark.at <= at)?.chars ?? 0;
}

interface Mark {
  /** The first entry behind it. */
  readonly at: number;
  readonly chars: number;
}

function marksOf(messages: readonly PromptMessage[], places: readonly number[]): readonly Mark[] {
  const marks: Mark[] = [];
  let chars = 0;
  let counted = 0;
  for (const place of places) {
    for (; counted < place; counted += 1) chars += messages[counted]?.chars ?? 0;
    marks.push({ at: entryFrom(messages, place), chars });
  }
  return marks;
}

/** The entry of the first message from a place on that shows one: its id begins with the entry's place in the log. */
function entryFrom(messages: readonly PromptMessage[], from: number): number {
  for (let place = from; place < messages.length; place += 1) {
    const at = Number.parseInt(messages[place]?.id ?? "", 10);
    if (!Number.isNaN(at)) return at;
  }
  return Number.POSITIVE_INFINITY;
}

/** Marks of the request before whose prefix is still the same. */
function standingMarks({ kept }: MarkedPrompt, sent: MarkedPrompt | undefined): readonly number[] {
  return (sent?.breakpoints ?? []).filter((place) => place <= kept.messages);
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
