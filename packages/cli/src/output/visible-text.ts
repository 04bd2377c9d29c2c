/** What draws nothing, ends the line, turns the writing direction or steers a terminal, and lone surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** The same, but for the line feeds and tabs that a text of several lines consists of. */
const invisibleInText = /[^\n\t\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Drawn over the character before. */
const combining = /[\p{Mn}\p{Me}]/u;
/** East Asian scripts, full-width forms and pictures: two columns in a terminal. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;

const ellipsis = "…";

/**
 * Text from outside as one line in which every character shows: a control or bidirectional character stands as
 * `\u{202e}`, so that a file name can neither turn the line around nor steer the terminal. Longer text ends in `…`.
 */
export function visibleLine(text: string, charsMax: number): string {
  const shown = text.slice(0, charsMax).replace(invisible, escaped);
  return text.length > charsMax ? `${shown}${ellipsis}` : shown;
}

/** A text of several lines, safe to show on a terminal: line feeds and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(invisibleInText, escaped);
}

/** Visible text of at most `columnsMax` terminal columns, with `…` in the middle where something is left out. */
export function shortened(visible: string, columnsMax: number): string {
  if (columnsOf(visible) <= columnsMax) return visible;
  const characters = [...visible];
  const room = Math.max(0, columnsMax - 1);
  const end = fitting(characters.toReversed(), Math.floor(room / 2)).reverse();
  const start = fitting(characters, room - columnsOf(end.join("")));
  return [...start, ellipsis, ...end].join("");
}

/** Terminal columns of visible text. */
export function columnsOf(visible: string): number {
  return [...visible].reduce((columns, character) => columns + columnsOfOne(character), 0);
}

function columnsOfOne(character: string): number {
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

function fitting(characters: readonly string[], columnsMax: number): string[] {
  let columns = 0;
  const beyond = characters.findIndex((character) => {
    columns += columnsOfOne(character);
    return columns > columnsMax;
  });
  return characters.slice(0, beyond < 0 ? characters.length : beyond);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
