import { differentIn, isFiller } from "./fillers.ts";
import { wordsIn } from "./letter-pairs.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const hexadecimal = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
const wordish = /^[A-Za-z]{0,24}\d{0,4}$/;
const separators = /[-_./:@+=,]/;
/**
 * A first look that costs little: a digit, or capitals that come and go. Most that follows a key's name has neither.
 */
export function isVaried(value: string): boolean {
  let capitals = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code >= 48 && code <= 57) return true;
    if (code >= 65 && code <= 90) capitals += 1;
  }
  return capitals >= 2 && capitals <= value.length - 2;
}

/** Some keys begin with, or hold, zeros in base64; what was drawn stands beside them. */
export function withoutPadding(value: string): string {
  return value.length >= 40 ? value.replace(/A{6,24}/, "") : value;
}

/** Ids and fingerprints of keys as GnuPG prints them, and what only a cluster can open: `AgBy3i4OJSWK...`. */
const known =
  /^(?:(?:rsa|dsa|elg)\d{3,5}\/|(?:ed|cv)25519\/)?(?:0x)?(?:[\dA-F]{16}|[\dA-F]{40})$|^Ag[A-D][A-Za-z\d+/]{60,}={0,2}$/;

/** Whether it opens nothing by itself, however drawn it looks. */
export const isKnownToAll = (value: string): boolean => known.test(value);

export function isUuid(value: string): boolean {
  return value.length === 36 && uuid.test(value);
}

/**
 * Whether the value is random and not a name: `Xk92mfQ1` and not `getTokenV2`, `AWS4-HMAC-SHA256` or `my-app-2`. The
 * criterion is the number of changes between letters, digits and case, which is low in names.
 */
export function looksDrawn(value: string): boolean {
  return !isFiller(value) && isDrawn(value);
}

/** The same of what is no filler. */
export function isDrawn(value: string): boolean {
  if (isUuid(value)) return false;
  const odd = value.split(separators).filter((part) => !wordish.test(part) || hasMixedCase(part) || isRareWord(part));
  const drawn = odd.filter((part) => part.length >= 6 && isMixed(part));
  const chars = drawn.reduce((sum, part) => sum + part.length, 0);
  return drawn.some((part) => part.length >= 12) || chars >= 14;
}

/** For long values that `/` and `+` would part into pieces too short to judge. */
export function mixesCharacterClasses(value: string): boolean {
  return /\d/.test(value) && changesOf(value) / (value.length - 1) >= 0.25;
}

/**
 * The same for short values with punctuation, as people choose for passwords: `Sommer2024!`. Three kinds of characters
 * with a digit and a mark, or well mixed.
 */
export function looksLikePassword(value: string): boolean {
  if (isFiller(value) || !/\d/.test(value) || differentIn(value) < 7) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w\s.:/-]/].filter((kind) => kind.test(value)).length;
  const hasMark = /[!#$%&*+?@^~]/.test(value.slice(1));
  return kinds >= 3 && (changesOf(value) >= 4 || (hasMark && value.length <= 32 && !/[/:=]/.test(value)));
}

/** `Sommer2024!` and `qst6^VNfI+04sX`, which no name, path or version looks like: behind any secret's name, not only a password's. */
export function looksThoughtUp(value: string): boolean {
  if (value.length > 32 || !/^[\w.,:=!#$%&*+?@^~-]+$/.test(value) || !/[!#$%&*+?@^~]/.test(value.slice(1)))
    return false;
  if (/[a-z]\.[a-z]|&&|\$\d$|%[\d.]{0,4}[dfrsx]/i.test(value)) return false;
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && looksLikePassword(value);
}

/** Of a part between signs: its characters are different ones, and their kinds change often. */
export function isMixed(part: string): boolean {
  const different = differentIn(part);
  if (isRareWord(part)) return true;
  if (hexadecimal.test(part)) return part.length >= 12 && different >= 6 && /\d/.test(part) && /[a-f]/i.test(part);
  const least = /\d/.test(part) ? 0.2 : 0.3;
  return different >= Math.min(8, part.length - 1) && changesOf(part) / (part.length - 1) >= least;
}

/** Letters that follow each other as those of no word do. Digits and changes of case part words, too. */
export function isRareWord(part: string): boolean {
  if (part.length < 16 || hexadecimal.test(part)) return false;
  const { pairs, usual } = wordsIn(part);
  return pairs >= 6 && usual / pairs < 0.5;
}

/** A capital in the middle more often than words have them. */
function hasMixedCase(part: string): boolean {
  return part.length >= 12 && changesOf(part) / (part.length - 1) >= 0.3;
}

/** Places where the kind of character changes; a capital that begins a word counts once. */
export function changesOf(value: string): number {
  let changes = 0;
  let last = "";
  for (const char of value) {
    const kind =
      char >= "a" && char <= "z" ? "a" : char >= "A" && char <= "Z" ? "A" : char >= "0" && char <= "9" ? "0" : "-";
    if (last !== "" && kind !== last && !(last === "A" && kind === "a")) changes += 1;
    last = kind;
  }
  return changes;
}
