/**
 * Whether a text fits a pattern in which `*` stands for anything, also nothing. Takes time in proportion to both lengths
 * multiplied: patterns come from outside, and an expression made of one may take for ever.
 */
export function fitsWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (place < text.length) {
    if (pattern[at] === "*") {
      star = at;
      at += 1;
      resume = place;
    } else if (pattern[at] === text[place]) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      // What the last star stands for is one character longer.
      at = star + 1;
      resume += 1;
      place = resume;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
