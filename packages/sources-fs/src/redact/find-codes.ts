import { isFiller } from "./fillers.ts";
import type { Span } from "./span.ts";
import { spansAt, startsWithOneOf } from "./spans-at.ts";

/** What a code of digits is called, from where its anchor is, with what may stand between it and the code. */
const name =
  /(?:kennwort|heimzahl(?<=geheimzahl)|passcode|passkey|passw(?:or[dt])?|pass|pwd|(?:verification|security|login|one-time|pairing|authentication|door|gate|alarm)[ _-]?code|puk\d?|pins?|otp)(?:[_ -](?:code|number|no))?(?![\w-])/iy;
const before = /(?:^|[^a-z])$/i;
const toCode =
  /(?:["'`*]{0,3}(?:[ \t][a-z][\w .-]{0,60}?)??[ \t]{0,8}(?:[:=]{1,2}|is|ist|lautet|est|es|è|é)[ \t]{1,8}["'`*]{0,3}(?:is[ \t])?|["'`]?[:=]["'`]?|>|[ \t](?<=--[\w-]{3,24}[ \t])|[ \t](?<=P[IU][NK](?:-code)?[ \t])|[ \t](?<=(?:gate|door|alarm)[ ]code[ \t]))/iy;
const code = /\d{4,12}(?=#?[\s"'`*.,;)<\\]|$)(?!\.\d|[ \t]{1,2}(?:[a-z%]{1,12}|\d))/y;

const isYours = /(?<![\w.])(\d{4,8}) is (?:your|the) (?:[a-z]{2,12} )?$/i;

const begins = startsWithOneOf("pvsloadgkh");

/** Finds PINs, PUKs, one-time codes and passwords of digits, right behind a name that says so. */
export function findCodes(text: string, names: readonly number[]): Span[] {
  return spansAt(names, (at) => (begins(text, at) ? codeAt(text, at) : undefined));
}

function codeAt(text: string, at: number): Span | undefined {
  name.lastIndex = at;
  if (!name.test(text) || !before.test(text.slice(Math.max(0, at - 1), at))) return undefined;
  const ahead = isYours.exec(text.slice(Math.max(0, at - 28), at));
  if (ahead !== null) {
    const first = at - ahead[0].length;
    return { start: first, end: first + (ahead[1] ?? "").length, rule: "code" };
  }
  toCode.lastIndex = name.lastIndex;
  if (!toCode.test(text)) return undefined;
  code.lastIndex = toCode.lastIndex;
  if (!code.test(text)) return undefined;
  const [start, end] = [toCode.lastIndex, code.lastIndex];
  // A number of JSON is the place of a word in a list, say.
  if (isFiller(text.slice(start, end)) || /^["']:[ \t]*$/.test(text.slice(name.lastIndex, start))) return undefined;
  return { start, end, rule: "code" };
}
