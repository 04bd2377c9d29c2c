const backslash = 92;
const percent = 37;
const bracket = 91;
const semicolon = 59;
const hexadecimal = /^[\dA-F]{2}$/i;
const colour = /\[[\d;]{0,12}m$/;

/**
 * Whether the letters just before `at` end an escape: `\n` in a string, `%3D` in an address, the end of a colour code.
 * They stand in front of a word without belonging to it.
 */
export function isAfterEscape(text: string, at: number): boolean {
  if (text.charAt(at - 2) === "\\") return "nrtbfv".includes(text.charAt(at - 1));
  if (text.charAt(at - 3) === "%") return hexadecimal.test(text.slice(at - 2, at));
  return text.charAt(at - 1) === "m" && colour.test(text.slice(Math.max(0, at - 16), at));
}

/** Where the word in this run begins: an escape in front of it ends in letters and digits of the run. */
export function wordStart(text: string, start: number, end: number): number {
  const before = text.charCodeAt(start - 1);
  if (before !== backslash && before !== percent && before !== bracket && before !== semicolon) return start;
  for (let at = start + 1; at < Math.min(start + 6, end); at++) if (isAfterEscape(text, at)) return at;
  return start;
}
