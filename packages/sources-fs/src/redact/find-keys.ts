import { redactLimits } from "../limits.ts";
import { wordStart } from "./escapes.ts";
import { isFiller } from "./fillers.ts";
import { type KeyShape, keyShapes } from "./key-shapes.ts";
import { keyAround, keyBefore, keyByMiddle } from "./key-structures.ts";
import type { LowText } from "./low-bytes.ts";
import { mixesCharacterClasses, withoutPadding } from "./randomness.ts";
import { serviceKeyShapes } from "./service-key-shapes.ts";
import type { Span } from "./span.ts";

/** Every listed key has an unbroken run of at least this many letters, digits, `_` and `-`. */
const runChars = 20;

const joint = 1;
const alphanumeric = 2;
const classes = new Uint8Array(256);
classes.fill(alphanumeric, 48, 58).fill(alphanumeric, 65, 91).fill(alphanumeric, 97, 123);
classes[45] = joint;
classes[95] = joint;

const shapesByStart = new Map<number, KeyShape[]>();
/** Few enough bits for a table that stays in the cache; a false hit costs one look into the map. */
const starts = new Uint8Array(1 << 13);
for (const shape of [...keyShapes, ...serviceKeyShapes]) {
  for (const start of shape.starts) {
    const key = packed(start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2));
    shapesByStart.set(key, [...(shapesByStart.get(key) ?? []), shape]);
    starts[key & 0x1fff] = 1;
  }
}

/** The secret key stands beside the name of an access key: in a table, a list or on the next line. */
const besideAccessKey =
  /\\{0,3}["']?(?:[ \t]{0,8}[,;:|\t ][ \t]{0,8}|\r?\n|\\n)\\{0,3}["']?(?=[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=]))/y;
const secretKeyChars = 40;

/**
 * Finds listed keys. Looks at every twentieth character only and measures the run around it, since most text has no
 * run that is long enough.
 */
export function findKeys(text: string, { bytes }: LowText): Span[] {
  const spans: Span[] = [];
  const length = text.length;
  let from = 0;
  let covered = 0;
  let at = runChars - 1;
  while (at < length) {
    if (classes[bytes[at] as number] === 0) {
      at += runChars;
      continue;
    }
    let start = at;
    while (start > from && classes[bytes[start - 1] as number] !== 0) start -= 1;
    let end = at + 1;
    while (end < length && classes[bytes[end] as number] !== 0) end += 1;
    from = end;
    if (end - start >= runChars) {
      const span = keyInRun(text, bytes, { start, end }) ?? keyAcross(text, bytes, { from: covered, start });
      if (span !== undefined) {
        spans.push(span);
        from = Math.max(end, span.end);
        covered = span.end;
        const secret = span.rule === "aws" ? secretKeyBeside(text, span.end) : undefined;
        if (secret !== undefined) {
          spans.push(secret);
          from = Math.max(from, secret.end);
          covered = secret.end;
        }
      }
    }
    at = from + runChars - 1;
  }
  return spans;
}

function secretKeyBeside(text: string, end: number): Span | undefined {
  besideAccessKey.lastIndex = end;
  if (!besideAccessKey.test(text)) return undefined;
  const start = besideAccessKey.lastIndex;
  const value = text.slice(start, start + secretKeyChars);
  return /[A-Z]/.test(value) && mixesCharacterClasses(value)
    ? { start, end: start + secretKeyChars, rule: "aws" }
    : undefined;
}

/** Tries where a word begins within the run, since `_` and `-` join words and keys alike. */
function keyInRun(
  text: string,
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
): Span | undefined {
  const word = wordStart(text, start, end);
  const span = keyFrom(text, bytes, { start, end, word }) ?? keyBefore(text, start) ?? keyAround(text, word, end);
  return span === undefined ? undefined : { ...span, end: endOfRun(text, span.end) };
}

/** A key that begins before the run that gave it away: a dot or a letter of base64 parts it. */
function keyAcross(
  text: string,
  bytes: Uint8Array,
  { from, start }: { readonly from: number; readonly start: number },
): Span | undefined {
  const least = Math.max(from, start - redactLimits.charsBeforeRunMax);
  let at = start;
  while (at > least && isPart(text.charCodeAt(at - 1))) at -= 1;
  if (start - at < 3) return undefined;
  const span =
    keyFrom(text, bytes, { start: at, end: start, word: wordStart(text, at, start) }) ?? keyByMiddle(text, at, start);
  return span === undefined || span.end <= start ? undefined : { ...span, end: endOfRun(text, span.end) };
}

function keyFrom(
  text: string,
  bytes: Uint8Array,
  { start, end, word }: { readonly start: number; readonly end: number; readonly word: number },
): Span | undefined {
  let attempts = 0;
  let before = 0;
  for (let at = start; at <= end - 3; at++) {
    const last = before;
    before = classes[bytes[at] as number] as number;
    if (before !== alphanumeric || (last === alphanumeric && at !== word)) continue;
    const key = packed(bytes[at] as number, bytes[at + 1] as number, bytes[at + 2] as number);
    if (starts[key & 0x1fff] !== 1) continue;
    for (const { rule, shape } of shapesByStart.get(key) ?? []) {
      attempts += 1;
      if (attempts > redactLimits.attemptsPerRunMax) return undefined;
      shape.lastIndex = at;
      if (!shape.test(text) || isFiller(withoutPadding(text.slice(at, shape.lastIndex)))) continue;
      return { start: at, end: shape.lastIndex, rule };
    }
  }
  return undefined;
}

function isPart(code: number): boolean {
  return classOf(code) !== 0 || code === 43 || code === 46 || code === 47 || code === 61 || code === 126;
}

/** The rest of a longer key would be half a secret. */
function endOfRun(text: string, from: number): number {
  let end = from;
  while (end < text.length && classOf(text.charCodeAt(end)) !== 0) end += 1;
  return end;
}

function classOf(code: number): number {
  return code < 128 ? (classes[code] as number) : 0;
}

function packed(first: number, second: number, third: number): number {
  return (first << 14) ^ (second << 7) ^ (third * 33);
}
