/** Characters that draw nothing, end the line, turn the writing direction or steer a terminal, and lone surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Characters that take two columns in a terminal: East Asian scripts, full-width forms and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{10000}-\u{10ffff}]/u;

const ellipsis = "…";

/**
 * Text from outside as one line in which every character shows: a control or bidirectional character stands as
 * `\u{202e}`, so a file name can neither turn the line around nor steer the terminal. Longer text ends in `…`.
 */
export function visibleText(text: string, charsMax: number): string {
  const shown = text.slice(0, charsMax).replace(invisible, escaped);
  return text.length > charsMax ? `${shown}${ellipsis}` : shown;
}

/** Visible text of at most `columnsMax` terminal columns, with `…` in the middle where something is left out. */
export function shortenedText(visible: string, columnsMax: number): string {
  if (columnsOf(visible) <= columnsMax) return visible;
  const characters = [...visible];
  const room = Math.max(0, columnsMax - 1);
  const end = taken(characters.toReversed(), Math.floor(room / 2)).reverse();
  const start = taken(characters, room - columnsOf(end.join("")));
  return [...start, ellipsis, ...end].join("");
}

/** Terminal columns of visible text. */
export function columnsOf(visible: string): number {
  return [...visible].reduce((columns, character) => columns + columnsOfOne(character), 0);
}

function taken(characters: readonly string[], columnsMax: number): string[] {
  let columns = 0;
  const beyond = characters.findIndex((character) => {
    columns += columnsOfOne(character);
    return columns > columnsMax;
  });
  return characters.slice(0, beyond === -1 ? characters.length : beyond);
}

function columnsOfOne(character: string): number {
  return wide.test(character) ? 2 : 1;
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
