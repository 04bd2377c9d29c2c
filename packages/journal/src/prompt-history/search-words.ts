import { limits } from "../limits.ts";

/** Each word quoted, because FTS5 has a grammar of its own, and as a beginning. Undefined where there is no word. */
export function toSearch(query: string): string | undefined {
  const words = query.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return undefined;
  return words
    .slice(0, limits.searchWordsMax)
    .map((word) => `"${word.replaceAll("\0", "").replaceAll('"', '""')}"*`)
    .join(" ");
}
