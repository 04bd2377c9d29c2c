/** Words that stand where a secret would, in documents and tests. Long enough that chance does not write them. */
const fillers =
  /example|sample|placeholder|change_?me|your[_-]?|xxxx|dummy|fake|redacted|replace|insert|deadbeef|123456|verylong|abcdef|\*\*\*|\.\.\.|0000000/i;

const manySame = /(.)\1{5}/s;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hexadecimal = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
const wordish = /^[A-Za-z]{0,24}\d{0,4}$/;
const separators = /[-_./:@+=,]/;
/** The 200 most usual pairs of letters: nine of ten in names and text are among them, three of ten in what is drawn. */
const usualPairs = new Uint8Array(1 << 16);
for (const pair of (
  "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de " +
  "hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr " +
  "ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su " +
  "id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od " +
  "bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp " +
  "ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu ui rg ib tl ny ki rk ys"
).split(" "))
  usualPairs[(pair.charCodeAt(0) << 8) | pair.charCodeAt(1)] = 1;

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

/** Whether it was written to show what a key looks like. Of a long text the beginning says so; all of it might by chance. */
export function isFiller(value: string): boolean {
  const text = value.slice(0, 200);
  const half = text.length >> 1;
  if (text.length <= 20 && text.length % 2 === 0 && text.startsWith(text.slice(0, half), half)) return true;
  return fillers.test(text) || manySame.test(text) || new Set(text).size < Math.min(8, text.length / 2);
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
  if (isFiller(value) || !/\d/.test(value) || new Set(value).size < 7) return false;
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

function isMixed(part: string): boolean {
  const different = new Set(part).size;
  if (isRareWord(part)) return true;
  if (hexadecimal.test(part)) return part.length >= 12 && different >= 6 && /\d/.test(part) && /[a-f]/i.test(part);
  const least = /\d/.test(part) ? 0.2 : 0.3;
  return different >= Math.min(8, part.length - 1) && changesOf(part) / (part.length - 1) >= least;
}

/** Letters that follow each other as those of no word do. Digits and changes of case part words, too. */
function isRareWord(part: string): boolean {
  if (part.length < 16 || hexadecimal.test(part)) return false;
  const { pairs, usual } = wordsIn(part);
  return pairs >= 6 && usual / pairs < 0.5;
}

/** Of the words that digits, signs and capitals part: their pairs of letters, usual ones among them, characters in words that have more of these. */
function wordsIn(value: string): { readonly pairs: number; readonly usual: number; readonly chars: number } {
  let [pairs, usual, chars] = [0, 0, 0];
  let [length, here, last, isSmall] = [0, 0, 0, false];
  for (let at = 0; at <= value.length; at++) {
    const code = value.charCodeAt(at) | 32;
    const isLetter = code >= 97 && code <= 122;
    const isNow = isLetter && code === value.charCodeAt(at);
    // A capital begins a word, but for one behind another.
    if (!isLetter || (isSmall && !isNow) || (length > 1 && isNow && !isSmall)) {
      if (length > 2 && here * 2 >= length - 1) chars += length;
      length = here = 0;
    }
    if (isLetter) {
      if (length > 0) {
        pairs += 1;
        const isUsual = usualPairs[(last << 8) | code] as number;
        usual += isUsual;
        here += isUsual;
      }
      length += 1;
    }
    [last, isSmall] = [code, isNow];
  }
  return { pairs, usual, chars };
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

/**
 * How surely a token was drawn by a machine: not at all; 0 as a password may be, by digits, signs and letters in turn; 1
 * as hashes are, too, or in few characters; 3 in 24 characters of all kinds.
 */
export type Grade = 0 | 1 | 2 | 3;

const noToken =
  /^\d{4}-\d\d-\d\d|\$\{|\{\{|\}\}|process\.env|=>|::|:\/\/|^[$@#]|^\.{0,2}\/[\w.-]{0,80}\/|^[[{]|^sha\d|^v?\d+\.\d+|A-Za-z|a-zA-Z|a-z\d|A-Z\d|[Zz]0-9|\.(?:[cm]?[jt]sx?|json|html?|md|py|go|rb|java|css|svg|png)\b/;
const brackets = /[()<>;|{}\\]/;
const publicBegin = /^(?:phc_|pk_(?:live|test)_|sb_publishable_)/;

export function gradeOf(value: string): Grade | undefined {
  const grade = gradeOfLook(value);
  return grade === undefined || isFiller(withoutPadding(value)) ? undefined : grade;
}

function gradeOfLook(value: string): Grade | undefined {
  if (!isVaried(value)) return value.length >= 16 && /^[a-z]+$/.test(value) && isRareWord(value) ? 2 : undefined;
  if (isKnownToAll(value)) return undefined;
  if (isUuid(value)) return 1;
  if (hexadecimal.test(value)) return isMixed(value) ? 1 : undefined;
  if (!isPaddedBase64(value) && (noToken.test(value) || publicBegin.test(value))) return undefined;
  if (value.includes("-") && isInGroups(value)) return 1;
  if (/^[A-Z2-7]{16,64}$/.test(value) && changesOf(value) >= 4) return 2;
  if (isWordy(value)) return isLogin(value) ? 1 : looksDrawn(value) || looksThoughtUp(value) ? 0 : undefined;
  const isPlain = !brackets.test(value);
  if (isPlain && (looksDrawn(withoutPadding(value)) || isLongBase64(value))) {
    return value.length >= 24 && /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value)
      ? 3
      : value.length >= 16
        ? 2
        : 1;
  }
  if (isLogin(value)) return 1;
  if (!isPasswordlike(value, isPlain)) return undefined;
  return isDense(value) ? 1 : 0;
}

/** Letters of both cases, digits and signs by turns, as no person and no code writes them. */
export function isDense(value: string): boolean {
  return (
    value.length >= 12 &&
    changesOf(value) * 2 >= value.length &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    /\d/.test(value)
  );
}

/** Keys that people type: `Q7RYA-YDBC3-YVR21`, `javzi1-paThar-buvnov`, and what BitLocker prints. */
function isInGroups(value: string): boolean {
  if (/^\d{6}(?:-\d{6}){7}$/.test(value)) return true;
  if (/^[A-Za-z\d]{6}-[A-Za-z\d]{6}-[A-Za-z\d]{6}$/.test(value))
    return /\d/.test(value) && /[a-z][A-Z]|[A-Z][a-z]/.test(value);
  // As codes to get an account back are.
  const groups = value.split("-");
  if (groups.length > 2 && groups.every((one) => /^[a-z\d]{4,6}$/.test(one)))
    return groups.filter((one) => /\d/.test(one) && /[a-z]/.test(one)).length > 1 && !isWordy(value);
  return (
    /^[A-Z\d]{4,8}-[A-Z\d]{4,8}-[A-Z\d-]{4,60}$/.test(value) &&
    value.replace(/\D/g, "").length >= 3 &&
    value.replace(/[^A-Z]/g, "").length >= 4 &&
    changesOf(value.replaceAll("-", "")) >= 5
  );
}

/** A name and a password, joined by a colon, in base64. */
export function isLogin(value: string): boolean {
  if (value.length < 16 || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(value, "base64").toString("latin1"));
}

/** Base64 of 30 bytes or more, as secret and account keys are: its `/` and `+` part no words. */
function isLongBase64(value: string): boolean {
  return value.length >= 40 && /^[A-Za-z0-9+/]{38,4096}={0,2}$/.test(value) && mixesCharacterClasses(value);
}

/** The same where it is whole: no path and no sum ends so, whatever it begins with. */
export function isPaddedBase64(value: string): boolean {
  return value.length % 4 === 0 && value.endsWith("=") && isLongBase64(value);
}

/** Half of it or more are words: `isImdsV2Disabled`, `argon2dAsync`. */
function isWordy(value: string): boolean {
  return wordsIn(value).chars * 2 >= value.length;
}

/** Names in code that have a digit or capitals: half of their pairs of letters are usual ones, or half are words. */
export function isWordlike(value: string): boolean {
  if (hexadecimal.test(value)) return false;
  const { pairs, usual, chars } = wordsIn(value);
  return chars * 2 >= value.length || (pairs >= 4 && usual * 2 >= pairs);
}

function isPasswordlike(value: string, isPlain: boolean): boolean {
  if (
    value.length > 64 ||
    !/[!#%^*+?@~$&=,]/.test(value.slice(1)) ||
    /%[\dA-F]{2}.*%[\dA-F]{2}|%20|\(\?|\\[wdsxbn]/.test(value)
  )
    return false;
  if (looksThoughtUp(value)) return true;
  return (
    looksLikePassword(value) &&
    changesOf(value) >= (isPlain ? 4 : 6) &&
    (isPlain || (/[a-z]/.test(value) && /[A-Z]/.test(value) && wordsIn(value).chars * 3 < value.length))
  );
}
