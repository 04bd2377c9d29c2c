import { codeNames } from "./code-names.ts";
import { isFiller } from "./fillers.ts";
import type { Span } from "./span.ts";
import { spansAt } from "./spans-at.ts";

/** What a code that lets in is called, by what stands before `code` or behind it; some have no other name. */
const name = new RegExp(`(?:${codeNames.join("|")})(?:[ _-]?(?:no|number))?(?![\\w-])`, "iy");
const toCode =
  /["'`*]{0,3}(?:(?:[ \t][a-zà-ž][\w .\u00c0-\u024f-]{0,40}?)??[ \t]{0,4}(?:[:=：—]|is|ist|lautet|est|es|è|é|er|är|je|to|on|là|to:)[ \t]{1,8}|(?<=[\u0430-\uffef])[ \t]{0,2}(?:[:：]|是|为|為|は|은|는)[ \t]{0,4}|[ \t]{0,2}[[「【][ \t]?|(?<=[\u3040-\uffef])[ \t]?|(?<=[\u0430-\u044f])[ \t]{1,4}|[ \t](?=\d[\d-]{5,11}(?![\w-])))["'`*「【]{0,3}((?:G-)?(?:\d{4}-\d{3}-\d{4}|\d{3}-\d{2}-\d{3}|\d{3}[ -]\d{3}|\d{4,8})(?=[\s"'`*.,;()<\]\\\u3000-\uffef]|$)(?!\.\d|[ \t]{1,2}(?:[a-z%]{1,12}|\d)))/iy;
/** The code comes first: `480251 is your login code`, `use 480251 as your code`. */
const isYours =
  /(?<![\w.-])(G-)?(\d{4,8}) (?:is|as|ist|est|es) (?:your|the|ihr|dein|votre|tu|su) (?:[\w-]{2,16} )?(?:[\w-]{2,16} )?$/i;

const blank = 32;

/** Finds codes of digits that let in once, behind `code` or before it, where words beside it say what it is for. */
export function findOneTimeCodes(text: string, places: readonly number[]): Span[] {
  return spansAt(places, (at) => codeAt(text, at));
}

function codeAt(text: string, at: number): Span | undefined {
  const isPhrase = text.charCodeAt(at - 1) === blank;
  const ahead = isPhrase ? isYours.exec(text.slice(Math.max(0, at - 64), at)) : null;
  if (ahead !== null) {
    const start = at - ahead[0].length + (ahead[1]?.length ?? 0);
    return { start, end: start + (ahead[2] ?? "").length, rule: "code" };
  }
  name.lastIndex = at;
  if (!name.test(text)) return undefined;
  toCode.lastIndex = name.lastIndex;
  const code = toCode.exec(text)?.[1];
  if (code === undefined || isFiller(code)) return undefined;
  return { start: toCode.lastIndex - code.length, end: toCode.lastIndex, rule: "code" };
}
