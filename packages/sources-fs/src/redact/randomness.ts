/** Words that stand where a secret would, in documents and tests. Long enough that chance does not write them. */
const fillers =
  /example|sample|placeholder|change_?me|your[_-]?|xxxx|dummy|fake|redacted|replace|insert|deadbeef|123456|abcdef|\*\*\*|\.\.\.|0000000/i;

const manySame = /(.)\1{5}/s;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hexadecimal = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
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

/** Whether it was written to show what a key looks like. */
export function isFiller(value: string): boolean {
  return fillers.test(value) || manySame.test(value) || new Set(value).size < Math.min(8, value.length / 2);
}

export function isUuid(value: string): boolean {
  return value.length === 36 && uuid.test(value);
}

/**
 * Whether the value is random and not a name: `Xk92mfQ1` and not `getTokenV2`, `AWS4-HMAC-SHA256` or `my-app-2`. The
 * criterion is the number of changes between letters, digits and case, which is low in names.
 */
export function looksDrawn(value: string): boolean {
  if (isFiller(value) || isUuid(value)) return false;
  const odd = value.split(separators).filter((part) => !wordish.test(part) || hasMixedCase(part));
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
  if (isFiller(value) || !/\d/.test(value) || new Set(value).size < 7) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w\s.:/-]/].filter((kind) => kind.test(value)).length;
  const hasMark = /[!#$%&*+?@^~]/.test(value.slice(1));
  return kinds >= 3 && (changesOf(value) >= 4 || (hasMark && value.length <= 32 && !/[/:=]/.test(value)));
}

function isMixed(part: string): boolean {
  const different = new Set(part).size;
  if (hexadecimal.test(part)) return part.length >= 12 && different >= 6 && /\d/.test(part) && /[a-f]/i.test(part);
  const least = /\d/.test(part) ? 0.2 : 0.3;
  return different >= Math.min(8, part.length - 1) && changesOf(part) / (part.length - 1) >= least;
}

/** A capital in the middle more often than words have them. */
function hasMixedCase(part: string): boolean {
  return part.length >= 12 && changesOf(part) / (part.length - 1) >= 0.3;
}

/** Places where the kind of character changes; a capital that begins a word counts once. */
function changesOf(value: string): number {
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
