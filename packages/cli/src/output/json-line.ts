/**
 * What JSON lets through and a terminal may obey: the second set of control characters, what turns the writing
 * direction, and the two line ends of Unicode. None of them stands outside of a JSON string.
 */
const acting = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu;

/** A value as JSON on one line that is safe in a terminal; parsing gives the same value. */
export function jsonLine(value: object): string {
  return `${JSON.stringify(value).replace(acting, escaped)}\n`;
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, place) => unitOf(character.charCodeAt(place))).join("");
}

const unitOf = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;
