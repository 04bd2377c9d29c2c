import type { Span } from "./span.ts";

/** What is found at places, in order. Places within what was found are passed over, so no part is examined twice. */
export function spansAt(places: readonly number[], find: (at: number) => Span | undefined): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of places) {
    if (at < from) continue;
    const span = find(at);
    if (span === undefined) continue;
    spans.push(span);
    from = Math.max(from, span.end);
  }
  return spans;
}

/**
 * Whether a text has one of some letters at a place, in either case; most names that are seen begin with others. Of other
 * characters some that were not asked for pass, too.
 */
export function startsWithOneOf(letters: string): (text: string, at: number) => boolean {
  const codes = new Set([...letters].map((letter) => letter.charCodeAt(0) | 32));
  return (text, at) => codes.has(text.charCodeAt(at) | 32);
}
