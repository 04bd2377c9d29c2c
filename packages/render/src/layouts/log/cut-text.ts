import { canonicalJson, type JsonObject, type JsonValue } from "@cm/object-model";
import { cutArgumentMark, escapeForeign, noticeLine } from "@cm/prompt-grammar";
import { isReplacedText } from "@cm/tool-calls";

/** A text of which only the start and the end stand. */
export interface CutText {
  readonly head: string;
  readonly tail: string;
  /** Characters between them. */
  readonly leftOut: number;
}

/**
 * The first `head` and the last `tail` characters, in UTF-16 units; a character of two units at either end is left out
 * whole. Undefined where nothing would be left out.
 */
export function cutText(
  text: string,
  { head, tail }: { readonly head: number; readonly tail: number },
): CutText | undefined {
  const end = boundary(text, unitsIn(head), -1);
  const start = boundary(text, text.length - unitsIn(tail), 1);
  if (start <= end) return undefined;
  return { head: text.slice(0, end), tail: text.slice(start), leftOut: start - end };
}

/** Both ends with a line between them that says what is left out, and of which object; words that were said have none. */
export function cutWords(
  { head, tail, leftOut }: CutText,
  about: { readonly id?: string; readonly attachments?: number } = {},
): string {
  const line = noticeLine({ kind: "cut", chars: leftOut, ...about });
  return [escapeForeign(head), line, escapeForeign(tail)].join("\n");
}

/** What a policy says comes from outside: only whole numbers from 0 on count. */
const unitsIn = (count: number): number => (Number.isSafeInteger(count) && count > 0 ? count : 0);

function boundary(text: string, place: number, aside: 1 | -1): number {
  const isInside = isHigh(text.charCodeAt(place - 1)) && isLow(text.charCodeAt(place));
  return isInside ? place + aside : place;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** What stays of a text in folded arguments: its beginning. */
const keptChars = 30;
/** And of a patch so much that it names its first file, as the path of other edits stays. */
const patchStart = /^\*\*\* Begin Patch\r?\n\*\*\* (?:Add|Update|Delete) File: [^\n]{1,200}/;
/**
 * What a cut of one text saves at least, in characters: a path that is hardly shorter no longer says which file it is. From
 * 1 to 20 no recording is billed otherwise; at 100 the long one of Pi misses three texts more.
 */
const savedCharsMin = 20;

/**
 * Arguments in a shape that their tool would take: every field stays, and of each long text its beginning, with what is
 * left out said behind it. `name` brings the arguments back.
 */
export function cutArgs(args: JsonObject, name: string): JsonObject {
  return cutTexts(args, name, () => true);
}

/** All arguments as one text of which the beginning stands: many fields are too much however short each of them is. */
export function cutWhole(args: JsonObject, name: string): JsonObject {
  return { arguments: beginningOf(canonicalJson(args), name, 1) };
}

/** What `cutArgs` does, for the texts alone that an edit replaced: it was made, so they are gone from the file. */
export function withoutReplaced(args: JsonObject, name: string): JsonObject {
  return cutTexts(args, name, isReplacedText);
}

function cutTexts(args: JsonObject, name: string, isCut: (key: string) => boolean): JsonObject {
  const cut = (key: string, value: JsonValue): JsonValue => {
    if (typeof value === "string") return isCut(key) ? beginningOf(value, name, savedCharsMin) : value;
    if (Array.isArray(value)) return value.map((member) => cut(key, member));
    return typeof value === "object" && value !== null ? cutFields(value as JsonObject) : value;
  };
  const cutFields = (fields: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, cut(key, value)]])),
    );
  return cutFields(args);
}

function beginningOf(text: string, name: string, savedMin: number): string {
  const kept = patchStart.exec(text)?.[0].length ?? keptChars;
  const isSplit = /[\ud800-\udbff]$/.test(text.slice(0, kept));
  const start = text.slice(0, isSplit ? kept - 1 : kept);
  const shorter = start + cutArgumentMark(text.length - start.length, name);
  return shorter.length + savedMin <= text.length ? shorter : text;
}
