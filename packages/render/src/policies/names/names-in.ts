import { limits } from "../../limits.ts";

/** An identifier, path, hash or number: what a later call may have to spell. */
const word = /[A-Za-z0-9_][A-Za-z0-9_./-]{6,}[A-Za-z0-9_]/g;
const ordinaryWord = /^[A-Z]?[a-z]+$/;
const separator = /[./-]/;
const nameCharsMin = 8;
const none: ReadonlySet<string> = new Set();

/**
 * The names in a text: identifiers, paths, hashes and numbers of 8 and more characters, and the pieces of them that
 * are as long. Ordinary words are none. Escapes of JSON end a name as the character does that they stand for. Of a very
 * long text only the start is searched.
 */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  const start = text.slice(0, limits.searchedCharsMax);
  const searched = start.includes("\\") ? start.replace(/\\[nrt]/g, " ") : start;
  for (const found of searched.match(word) ?? []) {
    if (names.has(found)) continue;
    if (!ordinaryWord.test(found)) names.add(found);
    for (const piece of piecesOf(found)) names.add(piece);
  }
  return names;
}

/** The names that a longer one is made of, each once. */
export function piecesOf(name: string): ReadonlySet<string> {
  if (!separator.test(name)) return none;
  return new Set(name.split(separator).filter((piece) => piece.length >= nameCharsMin && !ordinaryWord.test(piece)));
}
