import { isFiller } from "./fillers.ts";
import type { Span } from "./span.ts";

/** What a code of digits is called, from where its anchor is, with what may stand between it and the code. */
const name =
  /(?:kennwort|heimzahl(?<=geheimzahl)|passcode|passkey|passw(?:or[dt])?|pass|pwd|(?:verification|security|login|one-time|pairing|authentication|door|gate|alarm)[ _-]?code|puk\d?|pins?|otp)(?:[_ -](?:code|number|no))?(?![\w-])/iy;
const before = /(?:^|[^a-z])$/i;
const toCode =
  /(?:["'`*]{0,3}(?:[ \t][a-z][\w .-]{0,60}?)??[ \t]{0,8}(?:[:=]{1,2}|is|ist|lautet|est|es|è|é)[ \t]{1,8}["'`*]{0,3}(?:is[ \t])?|["'`]?[:=]["'`]?|>|[ \t](?<=--[\w-]{3,24}[ \t])|[ \t](?<=P[IU][NK](?:-code)?[ \t])|[ \t](?<=(?:gate|door|alarm)[ ]code[ \t]))/iy;
const code = /\d{4,12}(?=#?[\s"'`*.,;)<\\]|$)(?!\.\d|[ \t]{1,2}(?:[a-z%]{1,12}|\d))/y;

const isYours = /(?<![\w.])(\d{4,8}) is (?:your|the) (?:[a-z]{2,12} )?$/i;

/** The first letters of these names; most that are seen are others. */
const firsts = new Set([..."pvsloadgkh"].map((letter) => letter.charCodeAt(0)));

/** Finds PINs, PUKs, one-time codes and passwords of digits, right behind a name that says so. */
export function findCodes(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of names) {
    if (at < from || !firsts.has(text.charCodeAt(at) | 32)) continue;
    name.lastIndex = at;
    if (!name.test(text) || !before.test(text.slice(Math.max(0, at - 1), at))) continue;
    const ahead = isYours.exec(text.slice(Math.max(0, at - 28), at));
    if (ahead !== null) {
      const start = at - ahead[0].length;
      spans.push({ start, end: start + (ahead[1] ?? "").length, rule: "code" });
      continue;
    }
    toCode.lastIndex = name.lastIndex;
    if (!toCode.test(text)) continue;
    code.lastIndex = toCode.lastIndex;
    if (!code.test(text)) continue;
    const [start, end] = [toCode.lastIndex, code.lastIndex];
    // A number of JSON is the place of a word in a list, say.
    if (isFiller(text.slice(start, end)) || /^["']:[ \t]*$/.test(text.slice(name.lastIndex, start))) continue;
    spans.push({ start, end, rule: "code" });
    from = end;
  }
  return spans;
}
