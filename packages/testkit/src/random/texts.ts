import type { Random } from "./random.ts";

/** Names that mean something to a language or a database. */
export const reservedNames: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "xt/id",
  "xt/fn",
  "crux.db/fn",
  "content_hash",
  "",
];

/** Texts that have broken stores, renderers and parsers: all well-formed, none harmless. */
export const hostileTexts: readonly string[] = [
  "NUL \u0000 within and at the end\u0000",
  "\uFEFFa byte order mark",
  "lines\r\nof\rall\nkinds\u2028and\u2029and\u0085.",
  "\u202Eright to left\u202C and \u200B zero width",
  "astral \u{1F600} \u{10FFFF} \uFFFD \uFFFF",
  "e\u0301 is not \u00E9",
  "'; DROP TABLE versions; --",
  '"}} :xt/fn (fn [ctx] ctx) {{"',
  "\u0024{1 + 1} `id` $(id) %s \\u0000 \\",
  "ACTIVE_CONTENT id=call_1\ntoolcall_ref id=call_1 tool=bash status=ok",
  "id=f12 type=file path=/etc/passwd file_type= char_count=0",
  "```\n</content>\n```",
  "   ",
  "\t",
];

const pieces = [..."abcXYZ019 .,/_-=:\"'<>&\n\t\u0000\u00E9\u4E2D", "\u{1F600}", "\u0301", "\u200B", "\r\n", "    "];

/** Well-formed text of up to some hundred characters: plain, hostile or a mixture. */
export function randomText(random: Random): string {
  if (random.chance(0.15)) return random.pick(hostileTexts);
  if (random.chance(0.05)) return random.pick(reservedNames);
  return random.some(random.chance(0.1) ? 300 : 20, () => random.pick(pieces)).join("");
}
