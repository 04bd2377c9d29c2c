import { type AnchorKind, anchors, codeOf, codes } from "./anchor-words.ts";
import type { LowText } from "./low-bytes.ts";

/** The places that rules examine, by kind of rule: names before values, addresses, options of commands and so on. */
export type Anchors = Readonly<Record<AnchorKind, readonly number[]>>;

const anyCode = 0xffffffff;

const kinds = ["names", "addresses", "signatures", "options", "identified", "codes", "arguments"] as const;
const anyByte = Array.from({ length: 256 }, (_, byte) => byte);
const lowByteFirst = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
/**
 * By a pair of bytes: which anchors may hold it, and by the pair after that: which may go on so. An anchor is known by
 * two pairs that follow each other, since every second pair is looked at; one bit is for all anchors that have the pair
 * at the same place and a character of the same group after it.
 */
const holds = new Int32Array(1 << 16);
const goesOn = new Int32Array(1 << 16);
const groups = 15;
/** By bit: how far into the anchor the pair is. The first is of pairs that begin before it, the last of pairs that end it. */
const places = Uint8Array.from({ length: 32 }, (_, bit) => (bit === 0 ? 0 : bit <= groups ? 1 : 2));
const endsBit = 1 << 31;
goesOn.fill(endsBit);
/** By the first three characters: which may be the fourth, and what the anchor is for. */
const fourths = new Uint32Array(1 << 15);
const kindsOf = new Uint8Array(1 << 15);
for (const { kind, begin, before = "" } of anchors) {
  const whole = before + begin;
  for (const at of [0, 1]) {
    const place = at - before.length + 1;
    const next = whole.slice(at + 2, at + 4);
    const bit = next === "" ? endsBit : 1 << (place === 0 ? 0 : (place - 1) * groups + 1 + groupOf(next));
    mark(holds, whole.slice(at, at + 2), bit);
    mark(goesOn, next, bit);
  }
  const [first = 0, second = 0, third = 0, fourth] = [...begin].map(codeOf);
  const three = (first << 10) | (second << 5) | third;
  fourths[three] = (fourths[three] as number) | (fourth === undefined ? anyCode : 1 << fourth);
  kindsOf[three] = kinds.indexOf(kind);
}

/**
 * Finds in one pass where the rules have to look. Each second pair of characters is looked up in a table; no look
 * depends on the one before it, so a processor makes several at the same time.
 */
export function findAnchors({ bytes, pairs, length }: LowText): Anchors {
  const lists = kinds.map((): number[] => []);
  const end = (length + 1) >> 1;
  let pair = pairs[0] as number;
  for (let n = 0; n < end; n += 2) {
    const second = pairs[n + 1] as number;
    const third = pairs[n + 2] as number;
    const first = (holds[pair] as number) & (goesOn[second] as number);
    const next = (holds[second] as number) & (goesOn[third] as number);
    if (first !== 0) addAnchors(lists, bytes, { end: 2 * n + 1, some: first });
    if (next !== 0) addAnchors(lists, bytes, { end: 2 * n + 3, some: next });
    pair = third;
  }
  const [names = [], addresses = [], signatures = [], options = [], identified = [], codes = [], ofArguments = []] =
    lists;
  return { names, addresses, signatures, options, identified, codes, arguments: ofArguments };
}

/** Checks the anchors whose pair ends at a place. */
function addAnchors(
  lists: readonly number[][],
  bytes: Uint8Array,
  { end, some }: { readonly end: number; readonly some: number },
): void {
  for (let possible = some; possible !== 0; possible &= possible - 1) {
    const start = end - (places[31 - Math.clz32(possible & -possible)] as number);
    if (start < 0) continue;
    const three = (codeAt(bytes, start) << 10) | (codeAt(bytes, start + 1) << 5) | codeAt(bytes, start + 2);
    if ((((fourths[three] as number) >>> codeAt(bytes, start + 3)) & 1) === 0) continue;
    lists[kindsOf[three] as number]?.push(start);
  }
}

/** Words of code and prose that begin as names of secrets do, by their first letter. */
const ordinary: Readonly<Record<string, RegExp>> = {
  // `herokuPat = ` is a name; what it is in small letters, its words tell.
  p: /pat(?:[ht]|ch)|pat(?<![_-]pat)(?!:|(?<=[a-z]pat)[\\"'\])]{0,6}[ \t]{0,4}(?:[=:(,"'`]|string\b))|pass(?:ed|ing|es(?![_-])|age|ive|thr)|pair(?!ing[ _-]code)/iy,
  t: /token(?:i[sz]|type|s?\.[a-z]|[)\]](?![ \t]{0,4}=|\s{0,8}values))|tokens?\[/iy,
  k: /key(?:word|board|down|up|of|frame|[)\]](?![ \t]{0,4}=|\s{0,8}values))|keys\((?<=\.keys\()/iy,
  a: /author(?!i)|ase(?!ñ|n[yi]?a)|alia(?!s[ \t]set)/iy,
  m: /muni(?!ty[ \t])|mask(?!::)/iy,
  v: /veri(?!fier|fication[ _-]code)/iy,
  s: /secu(?!re["']|re_?s|rity[ _-]code)|sswo(?<!["'?*:]p?asswo)/iy,
  g: /gate(?![ _-]code)/iy,
  o: /one-(?!time)|otpa(?!uth)/iy,
  r: /ry[ _-]?c(?!ode)|ry[ _-]?p(?!t|hrase)/iy,
  u: /unse(?!al[ \t])/iy,
  "-": /-inv(?!it)/iy,
  _: /_inv(?!it)/iy,
  "/": /\/res(?!et)|\/conf(?!irm)|\/acti(?!vat)|\/hoo(?!ks?\/)/iy,
  e: /ebho(?!oks?(?:b\d)?(?:-test)?\/)/iy,
};
/** No name begins with another sign of ASCII: it only has the low byte of a letter elsewhere. */
const anything = /(?:)/y;
const ordinaryByCode: readonly (RegExp | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code).toLowerCase();
  return /[a-z/_ -]/.test(char) ? ordinary[char] : anything;
});

/** The places of names, but for those that only begin like one. */
export function withoutOrdinary(text: string, names: readonly number[]): readonly number[] {
  return names.filter((at) => {
    const words = ordinaryByCode[text.charCodeAt(at)];
    if (words === undefined) return true;
    words.lastIndex = at;
    return !words.test(text);
  });
}

function codeAt(bytes: Uint8Array, at: number): number {
  return codes[bytes[at] as number] as number;
}

/** The most usual characters are a group each, so that they are not taken for rare ones. */
function groupOf(text: string): number {
  const at = "etaoinsr ldcumphfgwybvkxjqz-:/=".indexOf(text.charAt(0).toLowerCase().replace("_", "-"));
  return at < 0 ? groups - 1 : at < 9 ? at : 9 + (at % 6);
}

/** Sets a bit at each number that the pair's two bytes make on this machine, in small and capital letters; a single character before any. */
function mark(table: Int32Array, pair: string, bit: number): void {
  const [first = [], second = anyByte] = [...pair].map((char) =>
    (char === "_" || char === "-" ? "_-" : char.toLowerCase() + char.toUpperCase())
      .split("")
      .map((one) => one.charCodeAt(0)),
  );
  for (const one of first) {
    for (const two of second) {
      const number = lowByteFirst ? one | (two << 8) : (one << 8) | two;
      table[number] = (table[number] as number) | bit;
    }
  }
}
