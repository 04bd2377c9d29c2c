import { redactLimits } from "../limits.ts";
import { holdsUsualWord } from "./find-passwords.ts";
import { callStrength, type Strength } from "./name-strength.ts";
import { isNamedByLines } from "./stands-alone.ts";
import type { Grade } from "./token-grade.ts";
import type { WordSenses } from "./word-senses.ts";

const { charsBeforeValueMax, charsBehindValueMax, farValueCharsMax, wordsBeforeValueMax, wordsBehindValueMax } =
  redactLimits;
/** No name affords more. */
const costMax = 11;
/** The name of another thing right before a value. */
const labelCost = 3;
const behindPort = /:\d{2,5}[ \t]{1,8}$/;
/** What says that a value follows, and lets it be a name in code by its form. */
const says = /^(?:is|was|ist|lautet|est|es)$/i;
const hasSign = /^["'\]]*\s{0,20}(?:=>|[:=：＝])/;

/** A text that looks drawn, and where it stands. */
interface Token {
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly grade: Grade;
  /** It may be a name in code, and so must stand right behind its own. */
  readonly isWord: boolean;
  /** It may be a name or a word of people, and so must stand on the line of a name that is surely one. */
  readonly isSpoken: boolean;
}

/** What begins a line that only says something about the next one. */
const comment = /^\s*(?:#|\/\/|\/?\*|--|;|<!--)/;
/** Letters of all scripts, without the signs among them. */
const wordPattern =
  /[\w\u00aa-\u1fff\u3040-\ufeff](?:[\w./@\u00aa-\u1fff\u3040-\ufeff-]*[\w\u00aa-\u1fff\u3040-\ufeff])?/g;
const nameCharsMax = 80;
const fileName = /\.(?:txt|json|[cm]?[jt]sx?|md|ya?ml|pem|crt|pub|py|go|rb|env|html|svg|png)$/;
const neutral = new Set(
  (
    "value parameter_value val default is was the a an of to for set with as your my our new old current in it its this that be string str text " +
    "bytes byte const let var final export env getenv get put from or and process system utf8 encode some static char std " +
    "example use using following type v d b r f u n p s k nullable encoding true false required sensitive description live prod test body w x y " +
    "type_text send_keys acceso accesso acesso accès zugang api de di do da du hex aes base64 generate show create add print echo cat plaintext reg_sz ist lautet est es und für el la le der die das"
  ).split(" "),
);
/** How many words may stand between, by the strength of the name and the grade of the value. */
const allowed: readonly (readonly number[])[] = [
  [-1, -1, -1, -1],
  [0, 1, 2, 3],
  [1, 3, 6, 8],
  [2, 4, 9, 11],
];
const surest = allowed[3] as readonly number[];

/** Whether words around a token say that it is a secret: those before it, or, where it has no name of its own, behind. */
export function isNamed(text: string, token: Token, senses: WordSenses): boolean {
  const before = namedBefore(text, token, senses);
  if (before === "named") return true;
  if ((!token.isWord || token.grade > 0 || token.isSpoken) && isNamedByLines(text, token, token.isSpoken ? 3 : 2))
    return true;
  if (token.isWord || token.grade === 0 || before === "known") return false;
  return (
    (before === "unlabelled" || commentBehind.test(text.slice(token.end, token.end + 12))) &&
    namedAfter(text, token, senses)
  );
}

const commentBehind = /^["'`]?[\])}]{0,2}[,;]?[ \t]{1,8}(?:#|\/\/|--)[ \t]/;

/** A label is the name of another thing, which may be one that everybody knows. */
type Answer = "named" | "known" | "labelled" | "unlabelled";

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Walks back from the token over the words before it. What stands between the token and the first word that is a name
 * costs, and each name affords so much; another thing's name right before the token ends the walk.
 */
function namedBefore(text: string, token: Token, senses: WordSenses): Answer {
  const before = text.slice(Math.max(0, token.start - charsBeforeValueMax), token.start);
  const found = [...before.matchAll(wordPattern)].slice(-wordsBeforeValueMax);
  const words = found.map(({ index, 0: word }) => ({ text: word, start: index, end: index + word.length }));
  const isPair = /^(?:parameter_?)?value$/i.test(words.at(-1)?.text ?? "");
  let [cost, lines, commas, wordCost, right] = [0, 0, 0, 1, before.length];
  let [isLabelled, isEnded] = [false, false];
  // Of what nothing behind it may name, it does not matter what stands farther off than its own name may.
  const most = token.isWord || token.grade === 0 ? (surest[token.grade] as number) : costMax;
  for (let n = words.length - 1; n >= 0 && cost <= most; n--) {
    const word = words[n] as Word;
    const { own, isAgainst } = senses.of(word.text);
    const isFirst = n === words.length - 1;
    const gap = before.slice(word.end, right);
    if (gap.includes("\n"))
      wordCost = comment.test(before.slice(before.lastIndexOf("\n", word.start) + 1, word.start)) ? 0 : 1;
    const breaks = gap.length < 2 && gap !== "\n" ? 0 : (gap.match(/\n|\\n/g)?.length ?? 0);
    lines += breaks;
    cost += breaks;
    if (gap.includes(",")) commas += 1;
    isEnded ||= /;|\)\s*\n/.test(gap);
    if (/[;}]/.test(gap)) cost += 2;
    // A pair of a name and a value is parted by a comma, too.
    else if (gap.includes(",") && !(isPair && n === words.length - 2)) cost += 1;
    const strength = (isEnded ? 0 : callStrength(own, gap, commas)) || nameStrength(before, words, { n, gap, senses });
    if (strength > 0) {
      const isUsed = !isFirst && hasSign.test(gap) && !/[([{]|:\/\//.test(gap) && /[,;&\n}]/.test(before.slice(right));
      if (isUsed) return isLabelled ? "labelled" : "unlabelled";
      if (token.isSpoken && (strength < 2 || lines > (isPair ? 1 : 0))) return "labelled";
      if (
        token.isWord &&
        !(token.grade > 1 && n === words.length - 2 && says.test(words[n + 1]?.text ?? "")) &&
        !mayBeWord(token, own, { gap, isFirst, isOption: before.slice(0, word.start).endsWith("--") })
      )
        return "labelled";
      const all = strength === 1 && lines > 0 ? cost + 1 : cost;
      return all <= ((allowed[strength] as readonly number[])[token.grade] as number) ? "named" : "labelled";
    }
    const isNeutral = neutral.has(own) && (isFirst || own.length > 1);
    const isNearest = cost === lines && (isFirst || /[:=]/.test(gap));
    if (isNearest && !isNeutral && !word.text.includes("/") && isAgainst) return "known";
    if (!isNeutral && !/^\d{1,4}$/.test(own)) {
      const isLabel = isFirst && breaks === 0 && hasSign.test(gap);
      isLabelled ||= isLabel;
      // `host:587 user:PASSWORD` is a login and no label.
      cost += isLabel && !(gap === ":" && behindPort.test(before.slice(0, word.start))) ? labelCost : wordCost;
    }
    right = word.start;
  }
  return isLabelled ? "labelled" : "unlabelled";
}

/** What may be a name in code is a value only behind its name and a sign, and not where the name stands again in it. */
function mayBeWord(
  token: Token,
  name: string,
  at: { readonly gap: string; readonly isFirst: boolean; readonly isOption: boolean },
): boolean {
  if (!at.isFirst) return false;
  // `Authorization: Bearer` has no sign behind it.
  // What is long holds any word by chance.
  const isHeader =
    /^(?:bearer|basic)$/.test(name) &&
    token.value.length >= 16 &&
    (token.value.length > farValueCharsMax || !holdsUsualWord(token.value));
  if (!isHeader && !at.isOption && !/[:=]|>$/.test(at.gap)) return false;
  // `exports.CreateToken2 = CreateToken2`.
  return !token.value.toLowerCase().includes(name.slice(name.lastIndexOf("_") + 1));
}

function nameStrength(
  before: string,
  words: readonly Word[],
  { n, gap, senses }: { readonly n: number; readonly gap: string; readonly senses: WordSenses },
): Strength {
  const word = words[n] as Word;
  // Base64 may hold any word.
  if (
    word.text.length > nameCharsMax ||
    !senses.of(word.text).mayName ||
    (fileName.test(word.text) && !gap.startsWith("("))
  )
    return 0;
  // A key of React's, and the key to success.
  if (
    /^keys?$/i.test(word.text) &&
    (gap.includes("\n") || /<[a-z][\w.]*[ \t][^<>]*$/.test(before.slice(0, word.start)))
  )
    return 0;
  let start = word.start;
  for (let m = n - 1; m >= Math.max(0, n - 2); m--) {
    const { start: at, end } = words[m] as Word;
    if (before.slice(end, start) !== " ") break;
    start = at;
  }
  const phrase = start === word.start ? word.text : before.slice(start, word.end);
  return senses.strengthOf(phrase, word.text, gap.startsWith("("));
}

/** `... as the password`, `value="..." name="apiKey"`, `"..." # token of the bot`: a name without a value of its own. */
function namedAfter(text: string, { end, grade }: Token, senses: WordSenses): boolean {
  const after = lineBehind(text.slice(end, end + charsBehindValueMax));
  let [cost, left, last] = [0, 0, 0];
  for (const { index, 0: word } of [...after.matchAll(wordPattern)].slice(0, wordsBehindValueMax)) {
    const gap = after.slice(left, index);
    if (gap.includes(";") && !/;[ \t]*(?:\/\/|#|--|\/\*)/.test(gap)) return false;
    const right = index + word.length;
    const { own, isAgainst } = senses.of(word);
    const strength = word.includes("/")
      ? 0
      : senses.strengthOf(after.slice(gap === " " ? last : index, right), word, false);
    if (strength > 1) {
      return !hasSign.test(after.slice(right)) && cost <= ((allowed[strength] as readonly number[])[grade] as number);
    }
    if (strength > 0 || (isAgainst && own !== "name" && !gap.includes(","))) return false;
    if (!neutral.has(own)) cost += 1;
    [last, left] = [index, right];
  }
  return false;
}

/** The rest of a line, and of the next one where a sentence goes on there. */
function lineBehind(after: string): string {
  const [line = "", next = ""] = after.split(/\r?\n|\\n/, 2);
  return line.trim() === "" && /^[a-z]{2,6} [a-z]/.test(next) ? ` ${next}` : line;
}
