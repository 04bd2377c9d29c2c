import type { ContextView, Prices, PromptMessage } from "@cm/context-log";

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
    marks.push({ at: entryAt(messages, place), chars });
  }
  return marks;
}

/** The entry of the first message from a place on that shows one: its id begins with the entry's place in the log. */
function entryAt(messages: readonly PromptMessage[], from: number): number {
  for (let place = from; place < messages.length; place += 1) {
    const at = Number.parseInt(messages[place]?.id ?? "", 10);
    if (!Number.isNaN(at)) return at;
  }
  return Number.POSITIVE_INFINITY;
}
