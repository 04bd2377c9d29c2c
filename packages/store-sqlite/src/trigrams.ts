import { storeLimits } from "./limits.ts";

/** Tokens of the index are three characters (code points) long. */
const tokenCharacters = 3;

/** Text that FTS5's tokenizer and query language accept unchanged: no half of a pair, and no end of a C string. */
const untakeable = /[\ud800-\udfff\0]/u;

/** Upper and lower case alike, as the contract's reference does it: texts are compared folded. */
export function foldText(text: string): string {
  return text.toLowerCase();
}

/**
 * The query that finds every text with this folded piece in it, and mostly only those: all its trigrams, or as many as
 * say enough. Undefined where the piece has none that can be asked for: then every text has to be looked at.
 */
export function trigramQuery(piece: string): string | undefined {
  const trigrams = trigramsOf(piece.slice(0, storeLimits.searchPieceCharsMax));
  if (trigrams.length === 0) return undefined;
  return spread(trigrams, storeLimits.searchTrigramsMax)
    .map((trigram) => `"${trigram.replaceAll('"', '""')}"`)
    .join(" AND ");
}

/** The distinct ones, in their order. */
function trigramsOf(piece: string): readonly string[] {
  const characters = [...piece];
  const windows = characters
    .slice(0, Math.max(0, characters.length - tokenCharacters + 1))
    .map((_, at) => characters.slice(at, at + tokenCharacters).join(""));
  return [...new Set(windows)].filter((window) => !untakeable.test(window));
}

/** At most so many of them, from the whole length. */
function spread(trigrams: readonly string[], count: number): readonly string[] {
  if (trigrams.length <= count) return trigrams;
  const stride = trigrams.length / count;
  return Array.from({ length: count }, (_, n) => trigrams[Math.floor(n * stride)] ?? "");
}
