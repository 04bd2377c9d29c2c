import { limits } from "../limits.ts";
import type { WireFormat } from "./formats.ts";
import type { Piece } from "./sent-prompt.ts";

/** Tokens of a request's input, each in one of the three. */
export interface CountedTokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** A place in the tree of all that was asked: the way to it is an exact prefix. */
interface Place {
  readonly next: Map<string, Place>;
  /** A request asked for caching up to here. */
  kept: boolean;
}

const newPlace = (): Place => ({ next: new Map(), kept: false });

/**
 * Counts as a provider with a prefix cache that forgets nothing would. Chat completions and responses: the longest common
 * start with any request before, to the character. Anthropic: up to marks only, of which the first four count; from each
 * the cache looks back over 20 blocks for a place that was marked before. No minimum of tokens is simulated.
 */
export class PrefixCache {
  readonly #root = newPlace();

  count(format: WireFormat, pieces: readonly Piece[]): CountedTokens {
    const { places, partial } = this.#walk(pieces);
    const before = [0];
    for (const { chars } of pieces) before.push((before.at(-1) ?? 0) + chars);
    const all = before.at(-1) ?? 0;
    if (format !== "anthropic-messages") {
      return tokens(Math.min(all, (before[places.known] ?? 0) + partial), 0, all);
    }
    const marks = pieces.flatMap(({ marked }, index) => (marked ? [index + 1] : [])).slice(0, limits.marksMax);
    const read = Math.max(0, ...marks.map((mark) => servedFrom(places.way, mark)));
    const written = Math.max(read, ...marks);
    for (const mark of marks) {
      const place = places.way[mark];
      if (place !== undefined) place.kept = true;
    }
    return tokens(before[read] ?? 0, (before[written] ?? 0) - (before[read] ?? 0), all);
  }

  /** Goes along the pieces, new ones included; `known` of them were there, and `partial` characters of the one after. */
  #walk(pieces: readonly Piece[]) {
    let place = this.#root;
    const way = [place];
    let known = 0;
    let partial = 0;
    for (const [index, { text, chars }] of pieces.entries()) {
      let next = place.next.get(text);
      if (next !== undefined && known === index) known = index + 1;
      if (next === undefined) {
        if (known === index) partial = Math.min(chars, longestStart(text, place.next.keys()));
        next = newPlace();
        place.next.set(text, next);
      }
      way.push(next);
      place = next;
    }
    return { places: { way, known }, partial };
  }
}

/** After how many pieces the nearest kept place before a mark lies; 0 where there is none within reach. */
function servedFrom(way: readonly Place[], mark: number): number {
  for (let at = mark; at > 0 && at >= mark - limits.lookbackBlocks; at--) if (way[at]?.kept === true) return at;
  return 0;
}

function longestStart(text: string, others: Iterable<string>): number {
  let longest = 0;
  for (const other of others) {
    let at = 0;
    while (at < text.length && text[at] === other[at]) at++;
    longest = Math.max(longest, at);
  }
  return longest;
}

/** Rounded so that the three are together what the whole is. */
function tokens(readChars: number, writtenChars: number, allChars: number): CountedTokens {
  const tokensOf = (chars: number): number => Math.ceil(chars / limits.charsPerToken);
  const cacheRead = tokensOf(readChars);
  const cacheWrite = tokensOf(readChars + writtenChars) - cacheRead;
  return { cacheRead, cacheWrite, input: tokensOf(allChars) - cacheRead - cacheWrite };
}
