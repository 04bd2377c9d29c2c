/** What draws nothing, ends the line, turns the writing direction or steers a terminal, and lone surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const invisibleInText = /[^\n\t\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Text from outside as one line of at most `charsMax` characters and a mark. What cannot be seen stands as `\u{1b}`, so
 * that a file's name can neither begin a line of its own nor steer the terminal.
 */
export function visibleLine(text: string, charsMax: number): string {
  const shown = text.slice(0, charsMax).replace(invisible, escaped);
  return text.length > charsMax ? `${shown}…` : shown;
}

/** The same for a sentence that goes on within another one: without its full stop. */
export function visibleClause(sentence: string, charsMax: number): string {
  return visibleLine(sentence.replace(/\.$/, ""), charsMax);
}

/** The same for a path, whose end says the most. */
export function visiblePath(path: string, charsMax: number): string {
  return path.length > charsMax ? `…${visibleLine(path.slice(-charsMax), charsMax)}` : visibleLine(path, charsMax);
}

/** The same for text of several lines: line feeds and tabs stay, and nothing is cut. */
export function visibleText(text: string): string {
  return text.replace(invisibleInText, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
