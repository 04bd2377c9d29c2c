import { redactLimits } from "../limits.ts";
import { isThoughtUp } from "./find-passwords.ts";
import { isNamed } from "./is-named.ts";
import type { LowText } from "./low-bytes.ts";
import { strengthOf, wordsOf } from "./name-strength.ts";
import { gradeOf, isDense, isPaddedBase64, isWordlike } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";

const valueCharsMin = 8;
const { namedCharsMax, namedValueCharsMax, farValueCharsMax } = redactLimits;

const [backslash, equals] = [92, 61];
const quote = 1;
const dense = 2;
const bare = 4;
const digit = 8;
const capital = 16;
const small = 32;
const mark = 64;
const word = 128;
const alphanumeric = digit | capital | small;
const classes = new Uint8Array(256);
classes.fill(dense, 33);
for (const char of "\"'`") classes[char.charCodeAt(0)] = quote;
for (const char of "-./_+=") classes[char.charCodeAt(0)] = dense | bare;
for (const char of "!#$%*?@^~") classes[char.charCodeAt(0)] = dense | bare | mark;
for (const char of "&()[]{},:;<>|\\") classes[char.charCodeAt(0)] = dense | mark;
classes.fill(dense | bare | word | digit, 48, 58);
classes.fill(dense | bare | word | capital, 65, 91).fill(dense | bare | word | small, 97, 123);

/** Finds tokens that look drawn by a machine near words that name secrets. */
export function findNamed(text: string, { bytes, length }: LowText, names: readonly number[]): Span[] {
  const spans: Span[] = [];
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
      if (chars >= valueCharsMin && (seen & (digit | capital) || chars >= 16))
        valuesIn(text, bytes, { start, end }, spans);
    }
  }
  return spans;
}

/** A text in quotes is a value as a whole, or may hold one: `"${NAME:-...}"`, `"a=...;b=..."`. */
function valuesIn(
  text: string,
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  spans: Span[],
): void {
  if (isQuoted(bytes, start, end)) {
    const close = bytes[end - 1] === backslash ? end - 1 : end;
    if (mayBeDrawn(bytes, start, close) && judge(text, { start, end: close, isQuoted: true }, spans)) return;
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
      judge(text, { start: begin, end: i, isQuoted: false }, spans);
    begin = value = i + 1;
  }
}

/** Between two quotes that are alike; one behind a word closes a text and opens none. */
function isQuoted(bytes: Uint8Array, start: number, end: number): boolean {
  const before = start < 1 ? 0 : (bytes[start - 1] as number);
  return (
    ((classes[before] as number) & quote) !== 0 &&
    before === bytes[end] &&
    !(start > 2 && kindAt(bytes, start - 2) & kindAt(bytes, start - 3) & word)
  );
}

function kindAt(bytes: Uint8Array, at: number): number {
  return classes[bytes[at] as number] as number;
}

/** Most names and words are not drawn: what may be has digits or capitals in turn, and less than half of it are words. */
function mayBeDrawn(bytes: Uint8Array, begin: number, end: number): boolean {
  const chars = end - begin;
  if (chars < valueCharsMin) return false;
  let [digits, turns, marks, joints, words, changes, run, last] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = begin; i < end; i++) {
    const kind = kindAt(bytes, i);
    if (kind & small) run += 1;
    else {
      if (run > 3) words += run;
      run = 0;
      if (kind & digit) digits += 1;
      else if (kind & mark) marks += 1;
      else if ((kind & capital) === 0) joints += 1;
      else if (last & small) turns += 1;
    }
    if ((kind ^ last) & digit) changes += 1;
    last = kind;
  }
  if (run > 3) words += run;
  if (digits === 0) return turns * 8 >= chars ? words * 2 < chars : chars >= 16 && words === chars;
  return (
    marks > 0 ||
    (joints === 0 && chars >= 16) ||
    digits * 6 >= chars ||
    (changes + turns) * 6 >= chars ||
    (words + 2 * joints) * 5 < chars * 3 ||
    (chars === 20 && joints === 2)
  );
}

/** `JWT_EXPIRES_IN=1d` is the next line of settings, and no value of the one above. */
const settingLine = /^[A-Z_][A-Z\d_]*=(?!=|$)/;
const assignment = /(?:^|[^\w.-])(?:--?|@)?([A-Za-z_][\w.-]{0,48})=(?!=|$)(.{8,})$/s;

/** A run is a value, or a name and its value: `TOKEN=...`, `?key=...`. */
function judge(text: string, run: Run, spans: Span[]): boolean {
  const whole = text.slice(run.start, run.end);
  const found = whole.includes("=") ? assignment.exec(whole) : null;
  const [, name = "", value = ""] = found ?? [];
  if (found === null && !run.isQuoted && settingLine.test(whole)) return false;
  if (found === null || (run.isQuoted && !whole.startsWith(name))) return judgeValue(text, run, spans);
  const split = { ...run, start: run.end - value.length };
  // `Environment=DB_PASS=...`.
  if (!run.isQuoted && /^[A-Z_]{3,48}=(?!=|$)/.test(value)) return judge(text, split, spans);
  const words = wordsOf(name);
  if (strengthOf(words, words) > 0) return judgeValue(text, split, spans);
  const isName = /^[A-Za-z_-]{2,}$/.test(name);
  const isAssigned = run.isQuoted || /[:=>][ \t]*$/.test(text.slice(Math.max(0, run.start - 3), run.start));
  return ((!isName || isAssigned) && judgeValue(text, run, spans)) || (isName && judgeValue(text, split, spans));
}

/** A key of an object that holds more: of the versions of a secret, say. */
const opensObject = /["'][ \t]{0,4}:[ \t]{0,4}[[{]/y;

const spoken = /^(?![\da-f]{6,}$|secp\d)(?=[^A-Z]*[A-Z]|[a-z]*\d)[A-Za-z][A-Za-z\d!#@_-]{7,23}$/;

function judgeValue(text: string, { start: begin, end, isQuoted }: Run, spans: Span[]): boolean {
  let start = begin;
  let value = text.slice(start, end);
  const next = text.charAt(end);
  if (!isQuoted) {
    const trimmed = value.replace(/^[-+*.]+/, "");
    start += value.length - trimmed.length;
    value = trimmed.replace(/[.?]+$/, "");
    if (isCode(value, next)) return false;
  }
  if (value.length < valueCharsMin || value.length > namedValueCharsMax || value.startsWith(markStart)) return false;
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
    (!isQuoted && /^[A-Za-z_$][\w$.]*$/.test(value) && !/^[A-Z2-7]{16,64}$/.test(value) && isWordlike(value));
  if (!isNamed(text, { start, end: start + value.length, value, grade, isWord, isSpoken })) return false;
  spans.push({ start, end: start + value.length, rule: "assigned" });
  return true;
}

/** A call, a member, a sum: what stands in code without quotes. */
function isCode(value: string, next: string): boolean {
  if (next === "(" || next === "[" || next === "{" || value.endsWith("+") || /!=|===/.test(value)) return true;
  if (/[\])(,`]/.test(next) && /[=+!?&]/.test(value) && !isDense(value) && !isPaddedBase64(value)) return true;
  return (
    /^[A-Za-z_$][\w$]*\.[A-Za-z_$]/.test(value) &&
    !/[%^~#@!?]/.test(value) &&
    (value.includes("/") ? false : value.includes("+") || value.length < 16 || isWordlike(value))
  );
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}
