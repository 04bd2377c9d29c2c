import { codeWords } from "./code-names.ts";
import { seenNames } from "./name-patterns.ts";

/** What kind of rule looks at a place that begins so. */
export type AnchorKind = "names" | "addresses" | "signatures" | "options" | "identified" | "codes" | "arguments";

export interface Anchor {
  readonly kind: AnchorKind;
  /** Three characters or more; four count; no two kinds share the first three. Letters are of both cases, `_` is `-`, too, and `'` whatever is not in the table. */
  readonly begin: string;
  /** The character before it, where what begins is too usual. */
  readonly before?: string;
}

/** The low bytes of a word that is not written in Latin letters. */
const lowOf = (word: string) => String.fromCharCode(...[...word].map((char) => char.charCodeAt(0) & 255));
/** What may stand right behind a name of two characters, as an anchor has three. */
const behindShort = [..." :=\"'：是为已"];
const seen = seenNames.flatMap((name) => [
  ...new Set(
    // The low bytes of other letters do not tell small ones from capitals.
    name.length > 2
      ? [lowOf(name), lowOf(name.toUpperCase()), lowOf(name.charAt(0).toUpperCase() + name.slice(1))]
      : behindShort.map((char) => lowOf(name + char)),
  ),
]);
const options = [..."uapwtkncxbsh-"].map((letter): Anchor => ({ kind: "options", begin: ` -${letter}` }));
export const anchors: readonly Anchor[] = [
  ...seen.map((begin): Anchor => ({ kind: "names", begin })),
  ...beginsOf(
    "names",
    "pat: pat= pat_ pat' pin: pin- pin= pin_ pin' pin\" puk: puk_ puk- verif one-t pair door_ gate_c alar scra kup_",
  ),
  { kind: "names", begin: "pat", before: "_" },
  { kind: "names", begin: "kty", before: '"' },
  { kind: "names", begin: "kty", before: "'" },
  ...beginsOf("addresses", ":// tcp( jdbc sqlplus sqll expd impd"),
  ...beginsOf("signatures", "sig= ode= ure="),
  ...options,
  { kind: "names", begin: "cook" },
  { kind: "names", begin: "_session" },
  { kind: "identified", begin: "fied" },
  ...beginsOf("codes", "code codi códi tan: tan_ smst kod gift vouc edee ial= ial:"),
  ...codeWords.map(
    (word): Anchor => ({ kind: word.startsWith("код") ? "arguments" : "names", begin: lowOf(word.slice(0, 4)) }),
  ),
  ...beginsOf("names", "jwt hmac ign( igned ignwith rypt cipher pbkdf2 fernet( pdo( qli( qli- lgolia secur"),
  ...beginsOf("names", "phra muni /magic /conf /veri /acti /invit -invit /reset /recover wifi: ugfzc3 basic alias"),
  ...beginsOf("names", "unse ogon vapi heimz ebho /hoo sswo htdi"),
  // What begins an argument of a command and no name.
  ...beginsOf(
    "arguments",
    "/p: /rp_ acl_ et_us eg_a add- mask:: teus amac ovea radt hdbu db2_ cwja nuge ftp> " +
      "/oper airp eap_ rsa_ icks iwco smbc mpac echo ntf_ nnec cn= 2c_ com2 on_> on_# " +
      "{ssh {sha {smd {pla {cle {cra {noo {pbk {blf {cry y-st",
  ),
  ...beginsOf("names", "riv: eexp ifi. pwgen genkey ssl_ t_kv decryption op:// ign= rar_ ea7e"),
];

/** A character as one of 32: letters, and the signs that anchors have; 0 for all others. */
export const codes = new Uint8Array(256);
for (let letter = 1; letter <= 26; letter++) {
  codes[96 + letter] = letter;
  codes[64 + letter] = letter;
}
for (const [at, chars] of ["-_", ":", "/", " ", "="].entries()) {
  for (const char of chars) codes[char.charCodeAt(0)] = 27 + at;
}
/** Anchors of one kind, by their first letters; `_` is a blank in them. */
function beginsOf(kind: AnchorKind, begins: string): readonly Anchor[] {
  return begins.split(" ").map((begin) => ({ kind, begin: begin.replace("_", " ") }));
}

export function codeOf(char: string): number {
  return codes[char.charCodeAt(0)] as number;
}
