/**
 * Characters that draw nothing, end the line, turn the writing direction or control a terminal, and lone surrogates.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** The same, but for the line feeds and tabs that a text of several lines consists of. */
const invisibleInText = /[^\n\t\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const ellipsis = "…";

/**
 * Text from outside as one line in which every character shows: a control or bidirectional character stands as
 * `\u{202e}`, so that a file name can neither begin a line, nor turn it around, nor steer the terminal.
 *
 * @param charsMax UTF-16 units of the text that are shown; longer text ends in `…`
 */
export function visibleLine(text: string, charsMax: number): string {
  const shown = text.slice(0, charsMax).replace(invisible, escaped);
  return text.length > charsMax ? `${shown}${ellipsis}` : shown;
}

/** The same for a sentence that goes on within another one: without its full stop. */
export function visibleClause(sentence: string, charsMax: number): string {
  return visibleLine(sentence.replace(/\.$/, ""), charsMax);
}

/** The same for a path, of which the end is kept, because it says the most. */
export function visiblePath(path: string, charsMax: number): string {
  if (path.length <= charsMax) return visibleLine(path, charsMax);
  return `${ellipsis}${visibleLine(path.slice(-charsMax), charsMax)}`;
}

/** The same for text of several lines: line feeds and tabs stay, and nothing is cut. */
export function visibleText(text: string): string {
  return text.replace(invisibleInText, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
