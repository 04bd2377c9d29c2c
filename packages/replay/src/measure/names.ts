/** Identifiers, paths, hashes and numbers; what joins the parts of a path is inside of them, never at an end. */
const joined = /[A-Za-z0-9_][A-Za-z0-9_./-]{6,}[A-Za-z0-9_]/g;
const separators = /[./-]/;
const plainWord = /^[A-Z]?[a-z]+$/;
const lineBreakInJson = /\\[nrt]/g;
const nameCharsMin = 8;

/**
 * The names in a text that a reader can know only from it: at least eight characters, also the parts of a path, without
 * ordinary words. In arguments a line break is written as in JSON and is not part of a name.
 */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (name: string): void => {
    if (name.length >= nameCharsMin && !plainWord.test(name)) names.add(name);
  };
  for (const [word] of text.replace(lineBreakInJson, " ").matchAll(joined)) {
    add(word);
    if (separators.test(word)) for (const part of word.split(separators)) add(part);
  }
  return names;
}
