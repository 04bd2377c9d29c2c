import { redactLimits } from "../limits.ts";

export const valueCharsMin = 8;
/** A name and its sign before a value, in the same run. */
const nameCharsMax = 64;
export const quote = 1;
export const dense = 2;
export const bare = 4;
export const digit = 8;
export const capital = 16;
const small = 32;
const mark = 64;
export const word = 128;
export const alphanumeric = digit | capital | small;
const classes = new Uint8Array(256);
classes.fill(dense, 33);
for (const char of "\"'`") classes[char.charCodeAt(0)] = quote;
for (const char of "-./_+=") classes[char.charCodeAt(0)] = dense | bare;
for (const char of "!#$%*?@^~") classes[char.charCodeAt(0)] = dense | bare | mark;
for (const char of "&()[]{},:;<>|\\") classes[char.charCodeAt(0)] = dense | mark;
classes.fill(dense | bare | word | digit, 48, 58);
classes.fill(dense | bare | word | capital, 65, 91).fill(dense | bare | word | small, 97, 123);

/** What the byte at a place is, as bits. */
export function kindAt(bytes: Uint8Array, at: number): number {
  return classes[bytes[at] as number] as number;
}

/** Most names and words are not drawn: what may be has digits or capitals in turn, and less than half of it are words. */
export function mayBeDrawn(bytes: Uint8Array, begin: number, end: number): boolean {
  const chars = end - begin;
  if (chars < valueCharsMin || chars > redactLimits.namedValueCharsMax + nameCharsMax) return false;
  let digits = 0;
  let capitals = 0;
  let turns = 0;
  let marks = 0;
  let joints = 0;
  let words = 0;
  let changes = 0;
  let run = 0;
  let last = 0;
  for (let i = begin; i < end; i++) {
    const kind = kindAt(bytes, i);
    if (kind & small) run += 1;
    else {
      if (run > 3) words += run;
      run = 0;
      if (kind & digit) digits += 1;
      else if (kind & mark) marks += 1;
      else if ((kind & capital) === 0) joints += 1;
      else {
        capitals += 1;
        if (last & small) turns += 1;
      }
    }
    if ((kind ^ last) & digit) changes += 1;
    last = kind;
  }
  if (run > 3) words += run;
  if (digits === 0 && turns * 8 >= chars) return words * 2 < chars;
  if (digits === 0) return chars >= 16 && (words === chars || capitals === chars);
  return (
    marks > 0 ||
    (joints === 0 && chars >= 16) ||
    digits * 6 >= chars ||
    (changes + turns) * 6 >= chars ||
    (words + 2 * joints) * 5 < chars * 3 ||
    (chars === 20 && joints === 2)
  );
}
