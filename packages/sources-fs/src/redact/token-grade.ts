import { isFiller } from "./fillers.ts";
import { wordsIn } from "./letter-pairs.ts";
import {
  changesOf,
  hexadecimal,
  isDrawn,
  isKnownToAll,
  isMixed,
  isRareWord,
  isUuid,
  isVaried,
  looksDrawn,
  looksLikePassword,
  looksThoughtUp,
  mixesCharacterClasses,
  withoutPadding,
} from "./randomness.ts";

/**
 * How surely a token was drawn by a machine: not at all; 0 as a password may be, by digits, signs and letters in turn; 1
 * as hashes are, too, or in few characters; 3 in 24 characters of all kinds.
 */
export type Grade = 0 | 1 | 2 | 3;

const noToken =
  /^\d{4}-\d\d-\d\d|\$\{|\{\{|\}\}|process\.env|=>|::|:\/\/|^[$@#]|^\.{0,2}\/[\w.-]{0,80}\/|^[[{]|^sha\d|^v?\d+\.\d+(?![\dA-Za-z]{12})|A-Za-z|a-zA-Z|a-z\d|A-Z\d|[Zz]0-9|\.(?:[cm]?[jt]sx?|json|html?|md|py|go|rb|java|css|svg|png)\b/;
const brackets = /[()<>;|{}\\]/;
const publicBegin = /^(?:phc_|pk_(?:live|test)_|sb_publishable_)/;

export function gradeOf(value: string): Grade | undefined {
  const grade = gradeOfLook(value);
  return grade === undefined || isFiller(withoutPadding(value)) ? undefined : grade;
}

function gradeOfLook(value: string): Grade | undefined {
  if (!isVaried(value)) {
    if (/^[A-Z]{16,64}$/.test(value)) return isRareWord(value) ? 2 : undefined;
    if (!/^[a-z]{12,}$/.test(value)) return undefined;
    return isRareWord(value) ? 2 : isRareShortWord(value) ? 0 : undefined;
  }
  if (isKnownToAll(value)) return undefined;
  if (isUuid(value)) return 1;
  if (hexadecimal.test(value)) return isMixed(value) ? 1 : undefined;
  if (
    !isPaddedBase64(value) &&
    !(isLongBase64(value) && !isWordy(value)) &&
    (noToken.test(value) || publicBegin.test(value))
  )
    return undefined;
  if (value.includes("-") && isInGroups(value)) return 1;
  if (/^[A-Z2-7]{16,64}$/.test(value) && changesOf(value) >= 4) return 2;
  if (isWordy(value)) return isLogin(value) ? 1 : looksDrawn(value) || looksThoughtUp(value) ? 0 : undefined;
  const isPlain = !brackets.test(value);
  if (isPlain && (isDrawn(withoutPadding(value)) || isLongBase64(value) || isPaddedBase64(value))) {
    return value.length >= 24 && /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value)
      ? 3
      : value.length >= 16
        ? 2
        : 1;
  }
  if (isLogin(value)) return 1;
  if (isPlain && isDrawnAcross(value)) return value.length >= 16 ? 2 : 1;
  if (isRareShortWord(value)) return 0;
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

/** The same in fewer letters, of which fewer may follow each other as those of words do. */
function isRareShortWord(value: string): boolean {
  if (!/^[A-Za-z\d]{10,15}$/.test(value)) return false;
  const { pairs, usual } = wordsIn(value);
  return pairs >= 5 && usual * 3 < pairs;
}

/** What base64 for addresses draws, or two pieces: `_`, `-` and the dot part it into ones too short to judge. */
function isDrawnAcross(value: string): boolean {
  if (!/^(?:[\w-]{12,64}|\w{4,48}\.\w{4,48})$/.test(value) || !/[-_.]/.test(value)) return false;
  const whole = value.replace(/[-_.]/g, "");
  return (
    whole.length >= 10 &&
    (whole.match(/\d/g)?.length ?? 0) >= 2 &&
    /[a-z]/.test(whole) &&
    /[A-Z]/.test(whole) &&
    changesOf(whole) * 3 >= whole.length &&
    wordsIn(value).chars * 4 < value.length
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
  return (
    value.length % 4 === 0 &&
    value.endsWith("=") &&
    /^[A-Za-z0-9+/]{18,4096}={1,2}$/.test(value) &&
    mixesCharacterClasses(value)
  );
}

/** Half of it or more are words: `isImdsV2Disabled`, `argon2dAsync`. */
export function isWordy(value: string): boolean {
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
