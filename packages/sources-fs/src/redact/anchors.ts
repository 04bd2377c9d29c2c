import type { LowText } from "./low-bytes.ts";

/** The places that rules examine, by kind of rule: names before values, addresses, options of commands and so on. */
export interface Anchors {
  readonly names: readonly number[];
  readonly addresses: readonly number[];
  readonly signatures: readonly number[];
  readonly options: readonly number[];
  readonly cookies: readonly number[];
  readonly sessions: readonly number[];
  readonly identified: readonly number[];
  readonly calls: readonly number[];
  readonly outputs: readonly number[];
  readonly words: readonly number[];
}

interface Anchor {
  readonly kind: keyof Anchors;
  /** Three characters or more; four count; no two kinds share the first three. Letters are of both cases, `_` is `-`, too, and `'` whatever is not in the table. */
  readonly begin: string;
  /** Where in it two pairs stand that are rare elsewhere; one even, one odd: every second pair is looked at. */
  readonly pairsAt: readonly [number, number];
  /** The character before it, if a pair begins at -1. */
  readonly before?: string;
}

/** The low bytes of a word that is not written in Latin letters. */
const lowOf = (word: string) => String.fromCharCode(...[...word].map((char) => char.charCodeAt(0) & 255));
/** Where names in other languages begin, or the part of them that is rare elsewhere. */
const foreignNames = [
  ..."kenn gehe schl rase clav cle_ clé chav llav senh paro wach jeto segr hasl seno sala hesl".split(" "),
  lowOf("hasł"),
  lowOf("паро"),
  lowOf("パスワー"),
].map((begin): Anchor => ({ kind: "names", begin, pairsAt: [0, 1] }));
const options = [..."uapwtk-"].map((letter): Anchor => ({ kind: "options", begin: ` -${letter}`, pairsAt: [0, 1] }));
const anchors: readonly Anchor[] = [
  { kind: "names", begin: "key", pairsAt: [0, 1] },
  { kind: "names", begin: "pwd", pairsAt: [0, 1] },
  { kind: "names", begin: "pass", pairsAt: [0, 1] },
  { kind: "names", begin: "pat", pairsAt: [-1, 0], before: "_" },
  { kind: "names", begin: "auth", pairsAt: [0, 1] },
  { kind: "names", begin: "cred", pairsAt: [0, 1] },
  { kind: "names", begin: "secr", pairsAt: [1, 2] },
  { kind: "names", begin: "toke", pairsAt: [1, 2] },
  { kind: "names", begin: "bear", pairsAt: [0, 1] },
  { kind: "addresses", begin: "://", pairsAt: [0, 1] },
  { kind: "addresses", begin: "tcp(", pairsAt: [0, 1] },
  { kind: "addresses", begin: "jdbc", pairsAt: [0, 1] },
  { kind: "addresses", begin: "sqlp", pairsAt: [0, 1] },
  { kind: "names", begin: "kty", pairsAt: [0, 1] },
  { kind: "names", begin: "pw:", pairsAt: [0, 1] },
  { kind: "names", begin: "pw=", pairsAt: [0, 1] },
  { kind: "names", begin: "pw ", pairsAt: [0, 1] },
  { kind: "names", begin: "secu", pairsAt: [1, 2] },
  { kind: "names", begin: "psk", pairsAt: [0, 1] },
  { kind: "names", begin: "pepp", pairsAt: [0, 1] },
  ...foreignNames,
  { kind: "signatures", begin: "sig=", pairsAt: [1, 2] },
  { kind: "signatures", begin: "ode=", pairsAt: [0, 1] },
  { kind: "signatures", begin: "ture=", pairsAt: [2, 3] },
  ...options,
  { kind: "cookies", begin: "cook", pairsAt: [1, 2] },
  { kind: "sessions", begin: "_session", pairsAt: [0, 3] },
  { kind: "identified", begin: "by '", pairsAt: [0, 1] },
  ...beginsOf("calls", "jwt hmac ign( igne ignw rypt ciph pbkd fern pdo( qli( qli- lgol ogin"),
  ...beginsOf("words", "logi basi alia user add- mask"),
  ...beginsOf("outputs", "pwge genk ssl_ t_kv decr op:/"),
];

/** A character as one of 32: letters, and the signs that anchors have; 0 for all others. */
const codes = new Uint8Array(256);
for (let letter = 1; letter <= 26; letter++) {
  codes[96 + letter] = letter;
  codes[64 + letter] = letter;
}
for (const [at, chars] of ["-_", ":", "/", " ", "="].entries()) {
  for (const char of chars) codes[char.charCodeAt(0)] = 27 + at;
}
const anyCode = 0xffffffff;

const kinds = [
  "names",
  "addresses",
  "signatures",
  "options",
  "cookies",
  "sessions",
  "identified",
  "calls",
  "outputs",
  "words",
] as const;
const none: readonly number[] = [];
/** By a pair of bytes: how far before it anchors begin, one bit for each distance from -1 on. */
const distances = new Uint8Array(1 << 16);
/** By the first three characters: which may be the fourth, and what the anchor is for. */
const fourths = new Uint32Array(1 << 15);
const kindsOf = new Uint8Array(1 << 15);
for (const { kind, begin, pairsAt, before = "" } of anchors) {
  const whole = before + begin;
  for (const at of pairsAt) {
    for (const pair of pairsOf(whole.slice(at + before.length, at + before.length + 2))) {
      distances[pair] = (distances[pair] as number) | (1 << (at + 1));
    }
  }
  const [first = 0, second = 0, third = 0, fourth] = [...begin].map((char) => codes[char.charCodeAt(0)] as number);
  const three = (first << 10) | (second << 5) | third;
  fourths[three] = (fourths[three] as number) | (fourth === undefined ? anyCode : 1 << fourth);
  kindsOf[three] = kinds.indexOf(kind);
}

/**
 * Finds in one pass where the rules have to look. Each second pair of characters is looked up in a table; no look
 * depends on the one before it, so a processor makes several at the same time.
 */
export function findAnchors({ bytes, pairs, length }: LowText): Anchors {
  const lists: (number[] | undefined)[] = kinds.map(() => undefined);
  const end = (length + 1) >> 1;
  for (let n = 0; n < end; n++) {
    let possible = distances[pairs[n] as number] as number;
    for (let start = 2 * n + 1; possible !== 0; start--, possible >>>= 1) {
      if ((possible & 1) === 0 || start < 0) continue;
      const three = (codeAt(bytes, start) << 10) | (codeAt(bytes, start + 1) << 5) | codeAt(bytes, start + 2);
      if (((fourths[three] as number) >>> codeAt(bytes, start + 3)) & 1) add(lists, kindsOf[three] as number, start);
    }
  }
  const [names, addresses, signatures, options, cookies, sessions, identified, calls, outputs, words] = lists;
  return {
    names: names ?? none,
    addresses: addresses ?? none,
    signatures: signatures ?? none,
    options: options ?? none,
    cookies: cookies ?? none,
    sessions: sessions ?? none,
    identified: identified ?? none,
    calls: calls ?? none,
    outputs: outputs ?? none,
    words: words ?? none,
  };
}

/** Most texts are short and have few: their lists are not made. */
function add(lists: (number[] | undefined)[], kind: number, start: number): void {
  const list = lists[kind];
  if (list === undefined) lists[kind] = [start];
  else list.push(start);
}

function codeAt(bytes: Uint8Array, at: number): number {
  return codes[bytes[at] as number] as number;
}

/** Anchors of one kind, by their first letters; `_` is a blank in them. */
function beginsOf(kind: Anchor["kind"], begins: string): readonly Anchor[] {
  return begins.split(" ").map((begin) => ({ kind, begin: begin.replace("_", " "), pairsAt: [0, 1] }));
}

/** A pair as the numbers that its two bytes make on this machine, in small and capital letters. */
function pairsOf(pair: string): readonly number[] {
  const [first = [], second = []] = [...pair].map((char) =>
    char === "_" || char === "-" ? ["_", "-"] : [char.toLowerCase(), char.toUpperCase()],
  );
  return first.flatMap((one) =>
    second.map((two) => new Uint16Array(Uint8Array.of(one.charCodeAt(0), two.charCodeAt(0)).buffer)[0] ?? 0),
  );
}
