import { isFiller } from "./fillers.ts";
import type { Span } from "./span.ts";

/** What a code that lets in is called, by what stands before `code` or behind it; some have no other name. */
const name =
  /(?:code(?<=(?:confirmation|access|auth|activation|sms|2fa|mfa|entry|lock|verificatie|bevestigings|bestätigungs|sicherheits|verifizierungs|freischalt|zugangs|einmal|verification|security|login|pairing|set-?up)[ _-]?code)|code(?<=\byour[ ](?:[\w-]{2,16}[ ])?code)(?<!(?:exit|error|status|zip|area|postal|country|source|own|qr|bar|project|product|response)[ ]code)|c[oó]d(?:e|igo|ice)[ ](?:de|di|da|d')[ ]?(?:v[eé]rif|s[eé]curit|segur|sicur|conf[ei]rm|acc[eè]s|acces|accès|autent|authent)[a-zéçãáó]{0,12}|tan(?<=(?<![a-z])(?:m|push)?tan))(?:[ _-]?(?:no|number))?(?![\w-])/iy;
const toCode =
  /["'`*]{0,3}(?:[ \t][a-z][\w .-]{0,40}?)??[ \t]{0,4}(?:[:=]|is|ist|lautet|est|es|è|é)[ \t]{1,8}["'`*]{0,3}|[ \t](?=\d[\d-]{5,11}(?![\w-]))/iy;
const code =
  /(?:G-)?(?:\d{4}-\d{3}-\d{4}|\d{3}-\d{2}-\d{3}|\d{3}[ -]\d{3}|\d{4,8})(?=[\s"'`*.,;)<\\]|$)(?!\.\d|[ \t]{1,2}(?:[a-z%]{1,12}|\d))/y;
/** The code comes first: `480251 is your login code`, `use 480251 as your code`. */
const isYours =
  /(?<![\w.-])(G-)?(\d{4,8}) (?:is|as|ist|est|es) (?:your|the|ihr|dein|votre|tu|su) (?:[\w-]{2,16} )?(?:[\w-]{2,16} )?$/i;

const blank = 32;

/** Finds codes of digits that let in once, behind `code` or before it, where words beside it say what it is for. */
export function findOneTimeCodes(text: string, places: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of places) {
    if (at < from) continue;
    const isPhrase = text.charCodeAt(at - 1) === blank;
    const ahead = isPhrase ? isYours.exec(text.slice(Math.max(0, at - 64), at)) : null;
    if (ahead !== null) {
      const start = at - ahead[0].length + (ahead[1]?.length ?? 0);
      spans.push({ start, end: start + (ahead[2] ?? "").length, rule: "code" });
      continue;
    }
    name.lastIndex = at;
    if (!name.test(text)) continue;
    toCode.lastIndex = name.lastIndex;
    if (!toCode.test(text)) continue;
    code.lastIndex = toCode.lastIndex;
    if (!code.test(text) || isFiller(text.slice(toCode.lastIndex, code.lastIndex))) continue;
    spans.push({ start: toCode.lastIndex, end: code.lastIndex, rule: "code" });
    from = code.lastIndex;
  }
  return spans;
}
