const opens = /^[-<]{3,} ?SEARCH>?$/;
const divides = /^={5,}$/;
const closes = /^[+>]{3,} ?REPLACE>?$/;
/** Roo puts the line's number above the searched text. */
const heading = /^:(?:start|end)_line: ?\d+$/;
const underlines = /^-{5,}$/;

/**
 * What the SEARCH/REPLACE blocks of a text search for, as Cline, Roo and aider write them. A block without its end is
 * none. One pass over the lines.
 */
export function searchedTexts(text: string): readonly string[] {
  if (!text.includes("SEARCH")) return [];
  const texts: string[] = [];
  let searched: string[] | undefined;
  let isDivided = false;
  for (const line of text.split(/\r?\n/)) {
    const mark = line.length > markCharsMax ? line : line.trimEnd();
    if (opens.test(mark)) {
      searched = [];
      isDivided = false;
    } else if (searched === undefined) {
    } else if (isDivided) {
      if (!closes.test(mark)) continue;
      texts.push(searched.join("\n"));
      searched = undefined;
    } else if (divides.test(mark)) isDivided = true;
    else if (!(isHeading(mark) && searched.length === 0)) searched.push(line);
  }
  return texts;
}

const isHeading = (line: string): boolean => heading.test(line) || underlines.test(line);

/** A mark is a short line; longer ones are text and are not trimmed to look. */
const markCharsMax = 200;
