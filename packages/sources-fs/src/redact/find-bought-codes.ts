import { isFiller } from "./fillers.ts";
import type { Span } from "./span.ts";
import { spansAt } from "./spans-at.ts";

/** What codes are called that are paid for, from where the anchor is: of vouchers, cards, licences, games. */
const name =
  /(?:code(?<=(?:voucher|gift ?card|card|coupon|promo|redeem|redemption|gutschein|rabatt|geschenk|licen[cs]e|activation|aktivierungs|registration|reg|unlock|freischalt|product|cd|game|serial)[ _-]?code)|gift[ _-]?card(?:[ _-]?(?:code|number|no))?|voucher(?:[ _-]?(?:code|number|no))?|edeem(?<=redeem)(?:[ ]on[ ][a-z]{3,12})?|ial(?<=serial)(?:[ _-]?(?:number|nummer))?(?=\W{1,4}\w{3,8}-))s?(?![\w-])/iy;
const toCode = /["'`*]{0,3}(?:[ \t](?:is|ist|est))?[ \t]{0,4}[:=：]?[ \t]{0,4}["'`*]{0,3}(?<=[\s:=："'`*])/iy;
/** Capitals and digits in groups, or twelve and more at a piece. */
const code =
  /(?:[A-Z\d]{3,8}-[A-Z\d]{3,8}-[A-Z\d-]{3,60}(?<!-)|(?=[A-Z]{0,11}\d)(?=\d{0,11}[A-Z])[A-Z\d]{12,25})(?![\w-])/y;

/** Finds codes of vouchers, gift cards and licences right behind a name that says so. */
export function findBoughtCodes(text: string, places: readonly number[]): Span[] {
  return spansAt(places, (at) => codeAt(text, at));
}

function codeAt(text: string, at: number): Span | undefined {
  name.lastIndex = at;
  if (!name.test(text)) return undefined;
  toCode.lastIndex = name.lastIndex;
  if (!toCode.test(text)) return undefined;
  code.lastIndex = toCode.lastIndex;
  const value = code.exec(text)?.[0] ?? "";
  const digits = value.replace(/\D/g, "").length;
  if (digits < 2 || digits + 3 > value.replaceAll("-", "").length || isFiller(value)) return undefined;
  return { start: toCode.lastIndex, end: code.lastIndex, rule: "licence" };
}
