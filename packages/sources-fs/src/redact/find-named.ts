import { redactLimits } from "../limits.ts";
import { isThoughtUp } from "./find-passwords.ts";
import { isNamed } from "./is-named.ts";
import type { LowText } from "./low-bytes.ts";
import {
  alphanumeric,
  bare,
  capital,
  dense,
  digit,
  kindAt,
  mayBeDrawn,
  quote,
  valueCharsMin,
  word,
} from "./may-be-drawn.ts";
import { strengthOf, wordsOf } from "./name-strength.ts";
import { changesOf, mixesCharacterClasses } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";
import { type Grade, gradeOf, isDense, isPaddedBase64, isWordlike, isWordy } from "./token-grade.ts";
import { WordSenses } from "./word-senses.ts";

const { namedCharsMax, namedValueCharsMax, farValueCharsMax } = redactLimits;

const [backslash, equals] = [92, 61];

/** Finds tokens that look drawn by a machine near words that name secrets. */
export function findNamed(text: string, { bytes, length }: LowText, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  const found: Found = { text, senses: new WordSenses(), spans };
  let from = 0;
  for (const at of names) {
    const most = Math.min(length, at + namedCharsMax);
    if (from < at - namedCharsMax) {
      from = at - namedCharsMax;
      while (from < at && kindAt(bytes, from - 1) & dense) from += 1;
    }
    // A value has eight characters at least, so every eighth is looked at.
    for (let n = from + valueCharsMin - 1; n < most; n = from + valueCharsMin - 1) {
      if ((kindAt(bytes, n) & dense) === 0) {
        from = n + 1;
        continue;
      }
      let start = n;
      while (start > from && kindAt(bytes, start - 1) & dense) start -= 1;
      let end = start;
      let seen = 0;
      for (; end < length; end++) {
        const kind = kindAt(bytes, end);
        if ((kind & dense) === 0) break;
        seen |= kind;
      }
      from = end;
      const chars = end - start;
      if (chars >= valueCharsMin && (seen & (digit | capital) || chars >= 16)) valuesIn(found, bytes, { start, end });
    }
  }
  return spans;
}

/** A text in quotes is a value as a whole, or may hold one: `"${NAME:-...}"`, `"a=...;b=..."`. */
function valuesIn(
  found: Found,
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  if (isQuoted(bytes, start, end)) {
    const close = bytes[end - 1] === backslash ? end - 1 : end;
    if (mayBeDrawn(bytes, start, close) && judge(found, { start, end: close, isQuoted: true })) return;
  }
  let begin = start;
  let value = start;
  for (let i = start; i <= end; i++) {
    if (i < end && kindAt(bytes, i) & bare) {
      // Behind a name and its sign, the value is looked at alone.
      if (bytes[i] === equals && kindAt(bytes, i + 1) & alphanumeric) value = i + 1;
      continue;
    }
    if (mayBeDrawn(bytes, value, i) || (value > begin && mayBeDrawn(bytes, begin, i)))
      judge(found, { start: begin, end: i, isQuoted: false });
    begin = value = i + 1;
  }
}

/** Between two quotes that are alike; one behind a word closes a text and opens none. */
function isQuoted(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    start > 0 &&
    (kindAt(bytes, start - 1) & quote) !== 0 &&
    bytes[start - 1] === bytes[end] &&
    !(start > 2 && kindAt(bytes, start - 2) & kindAt(bytes, start - 3) & word)
  );
}

/** `JWT_EXPIRES_IN=1d` is the next line of settings, and no value of the one above. */
const settingLine = /^[A-Z_][A-Z\d_]*=(?!=|$)/;
const assignment = /(?:^|[^\w.-])(?:--?|@)?([A-Za-z_][\w.-]{0,48})=(?!=|$)(.{8,})$/s;

const inBase64 = /^[\w+/=-]*\d[\w+/=-]*[+/]$/;

/** A run is a value, or a name and its value: `TOKEN=...`, `?key=...`. */
function judge(found: Found, run: Run): boolean {
  const { text } = found;
  const whole = text.slice(run.start, run.end);
  const split = whole.includes("=") ? assignment.exec(whole) : null;
  const [, name = "", value = ""] = split ?? [];
  // A sign of base64 stands in a value that `=` is a part of, too: `NhFH55e7i+249od/T_=0y5iElh`.
  if (split !== null && !run.isQuoted && inBase64.test(whole.slice(0, split.index + 1)) && judgeValue(found, run))
    return true;
  if (split === null && !run.isQuoted && settingLine.test(whole)) return false;
  if (split === null || (run.isQuoted && !whole.startsWith(name))) return judgeValue(found, run);
  const valueRun = { ...run, start: run.end - value.length };
  // `Environment=DB_PASS=...`.
  if (!run.isQuoted && /^[A-Z_]{3,48}=(?!=|$)/.test(value)) return judge(found, valueRun);
  const words = wordsOf(name);
  if (strengthOf(words, words) > 0) return judgeValue(found, valueRun);
  // `--from-literal=db-token=...`, `--set=db.token=...`.
  if (!run.isQuoted && whole.startsWith("--") && /^[A-Za-z][\w.-]{2,47}=(?!=|$)/.test(value))
    return judge(found, valueRun);
  const isName = /^[A-Za-z_-]{2,}$/.test(name);
  const isAssigned = run.isQuoted || /[:=>][ \t]*$/.test(text.slice(Math.max(0, run.start - 3), run.start));
  return ((!isName || isAssigned) && judgeValue(found, run)) || (isName && judgeValue(found, valueRun));
}

/** A key of an object that holds more: of the versions of a secret, say. */
const opensObject = /["'][ \t]{0,4}:[ \t]{0,4}[[{]/y;

const spoken = /^(?![\da-f]{6,}$|secp\d)(?=[^A-Z]*[A-Z]|[a-z]*\d)[A-Za-z][A-Za-z\d!#@_-]{7,23}$/;

function judgeValue({ text, senses, spans }: Found, { start: begin, end, isQuoted }: Run): boolean {
  let start = begin;
  let value = text.slice(start, end);
  const next = text.charAt(end);
  if (!isQuoted) {
    const trimmed = value.replace(/^[-+*.]+/, "");
    start += value.length - trimmed.length;
    value = trimmed.replace(/[.?]+$/, "");
    if (isCode(value, next) || isMember(value)) return false;
  }
  if (value.length < valueCharsMin || value.length > namedValueCharsMax || value.startsWith(markStart)) return false;
  // A call as an address has it: `Symbol%28x%29`.
  if (/%28[^%]*%29$/.test(value)) return false;
  opensObject.lastIndex = end;
  if (isQuoted && opensObject.test(text)) return false;
  // What a person thought up, or can be spoken, stands right behind its name only.
  const drawn = gradeOf(value);
  const isSpoken = drawn === undefined && spoken.test(value) && isThoughtUp(value, isQuoted);
  const grade = isSpoken ? 0 : drawn;
  if (grade === undefined || (grade === 0 && !isQuoted && /[^\s"'<;&}\\]/.test(next))) return false;
  const isWord =
    (isSpoken && !isQuoted) ||
    value.length > farValueCharsMax ||
    // A container's id.
    /^[\da-f]{12}$/.test(value) ||
    (!isQuoted &&
      /^[A-Za-z_$][\w$.]*$/.test(value) &&
      !/^[A-Z2-7]{16,64}$/.test(value) &&
      !isSurelyDrawn(value, grade) &&
      isWordlike(value));
  if (!isNamed(text, { start, end: start + value.length, value, grade, isWord, isSpoken }, senses)) return false;
  spans.push({ start, end: start + value.length, rule: "assigned" });
  return true;
}

/** What is drawn has usual pairs of letters, too, by chance; names in code have few digits. */
const isSurelyDrawn = (value: string, grade: Grade): boolean =>
  isDense(value) || grade === 3 || (grade === 2 && (value.match(/\d/g)?.length ?? 0) >= 3);

/** A call or a sum: what stands in code without quotes. */
function isCode(value: string, next: string): boolean {
  if (next === "(" || next === "[" || next === "{" || /!=|===/.test(value)) return true;
  // Of base64 one in 64 ends in this sign.
  if (value.endsWith("+")) return !(value.length >= 40 && /^[\w+/-]+$/.test(value) && mixesCharacterClasses(value));
  return /[\])(,`]/.test(next) && /[=+!?&]/.test(value) && !isDense(value) && !isPaddedBase64(value);
}

/** `config.apiKey2`. What is drawn in pieces looks like one, too. */
function isMember(value: string): boolean {
  if (!/^[A-Za-z_$][\w$]*\.[A-Za-z_$]/.test(value) || /[%^~#@!?/]/.test(value)) return false;
  if (value.includes("+") || value.length < 16) return true;
  return isWordlike(value) && (isWordy(value) || changesOf(value) * 3 < value.length);
}

/** The text, what its words say, and the secrets found in it so far. */
interface Found {
  readonly text: string;
  readonly senses: WordSenses;
  readonly spans: Span[];
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}
