/** Words that stand where a secret would, in documents and tests. Long enough that chance does not write them. */
const fillers =
  /example|sample|placeholder|change_?me(?!\w{0,10}\d[!@#$%&*?])|your[_-]?|xxxx|dummy|fake|redacted|replace|insert|deadbeef|123456|verylong|abcdef|\*\*\*|\.\.\.|0000000/i;

/** Tokens of AWS have ten slashes in a row. */
const manySame = /([^/])\1{5}/s;

/** Whether it was written to show what a key looks like. Of a long text the beginning says so; all of it might by chance. */
export function isFiller(value: string): boolean {
  const text = value.slice(0, 200);
  const half = text.length >> 1;
  if (text.length <= 20 && text.length % 2 === 0 && text.startsWith(text.slice(0, half), half)) return true;
  return fillers.test(text) || manySame.test(text) || differentIn(text) < Math.min(8, text.length / 2);
}

/** How many characters are different. Of those that are no letter, digit or sign of ASCII 32 are told apart. */
export function differentIn(text: string): number {
  let low = 0;
  let letters = 0;
  let signs = 0;
  let capitals = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const bit = 1 << (code & 31);
    if (code < 32 || code > 127) low |= bit;
    else if (code < 64) signs |= bit;
    else if (code < 96) capitals |= bit;
    else letters |= bit;
  }
  return bitsOf(low) + bitsOf(letters) + bitsOf(signs) + bitsOf(capitals);
}

function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
