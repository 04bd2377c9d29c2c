import { limits } from "./limits.ts";

/** Tokens that cannot be taken for anything else on a line: no space, quote, bracket, equals sign or backslash. */
const harmless = /^[A-Za-z0-9_./:@%+,~*#-]+$/;

/** What JSON leaves bare but a reader may not see, or may see as a new line or in another order. */
const unseen = /[\u007f-\u00a0\u2028\u2029]|\p{Cf}|\p{Zs}(?<! )/gu;

/** Every character that some reader takes for the end of a line, as part of a character class. */
export const lineBreaks = "\\n\\r\\u2028\\u2029\\u0085\\v\\f";

/** One field as the source of a regular expression, one group: bare, or a JSON string. */
export const fieldPattern = `("(?:[^"\\\\${lineBreaks}]|\\\\[^${lineBreaks}])*"|[A-Za-z0-9_./:@%+,~*#-]+)`;

/**
 * A value for one line (T2): bare if it is a harmless token, else a JSON string in which control, bidi,
 * zero-width and line separator characters are escapes. Never longer than `fieldCharsMax`: a longer value is cut and
 * ends in an ellipsis.
 */
export function field(value: string): string {
  if (harmless.test(value) && value.length <= limits.fieldCharsMax) return value;
  const whole = quoted(value);
  return whole.length <= limits.fieldCharsMax ? whole : quoted(cut(value));
}

/** The value that `parseField(field(value))` gives back: the same, unless it had to be cut. */
export function boundedField(value: string): string {
  return parseField(field(value));
}

/** Reverses `field`. */
export function parseField(text: string): string {
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

function quoted(value: string): string {
  return JSON.stringify(value).replace(unseen, (character) => {
    let escapes = "";
    for (let unit = 0; unit < character.length; unit += 1) {
      escapes += `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
    }
    return escapes;
  });
}

/** As many whole characters as fit, with the ellipsis and the quotes. */
function cut(value: string): string {
  let kept = "";
  let length = quoted("…").length;
  for (const character of value) {
    length += quoted(character).length - 2;
    if (length > limits.fieldCharsMax) break;
    kept += character;
  }
  return `${kept}…`;
}
