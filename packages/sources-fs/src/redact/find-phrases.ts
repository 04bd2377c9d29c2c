import { holdsUsualWord } from "./find-passwords.ts";
import { markOf, type Span } from "./span.ts";
import { spansAt, startsWithOneOf } from "./spans-at.ts";

/** What words are called that open something, from where its anchor is. */
const wordsName = /(?:mnemonic|phrase)/iy;
/** As wallets have them: twelve to twenty-four words of three letters and more, without a sign among them. */
const walletWords = /(?:^|[\s"'`:>(=])([a-z][a-z ]{46,220}[a-z])(?! ?\w|[,.'-]\w)/;
const walletWord = /^[a-z]{3,8}$/;
const walletCharsMax = 400;
/** The same as a list: `1. absorb`, one to a line or not. */
const toNumbered = /[^\n]{0,60}(?:\r?\n){0,2}[ \t]{0,8}(?=1[.):]?[ \t]{1,3}[a-z])/y;
const numberedWord = /(\d{1,2})[.):]?[ \t]{1,3}[a-z]{3,8}(?:[ \t,]{0,8}\r?\n[ \t]{0,8}|[ \t,]{1,8}|(?=["'`]|$))/y;
const proseWord =
  / (?:the|and|for|are|was|were|has|had|from|not|but|its|our|per|via|which|into|should|some|these|than|with|used|uses)(?= |$)/;
/** A password of words, from where its anchor is: after a sign or an option in quotes, or behind a colon up to the line's end. */
const name =
  /(?:passphrases?|pass[ _-]phrase|passw(?:or[dt])?|passwd|passe(?<=mot[ _]de[ _]passe)|phrase(?<=recovery[ _]phrase)|phrase[ _]secr[eè]te|parola(?: d.ordine)?|key(?<=pre-?shared[ _-]key)|psk|pwd?(?=:[ ]))(?![\w-])/iy;
const toQuoted =
  /(?:["'\]]{0,2}[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,4}|[ \t][a-zà-ÿ][\w à-ÿ-]{0,40}?[ \t](?:is|ist|lautet|est|es|è|é)[ \t:]{1,3}|[ \t](?:is|ist|lautet|est|es|è|é)[ \t:]{1,3}|[ \t]{1,4}(?=["'“„«]))(?:["'“„«][ \u00a0]?)/iy;
const toLine = /[*_]{0,2}(?:[ \t][\w ]{1,24})?[*_]{0,2}(?:[ \t]is)?(?::[*_]{0,2}[ \t]{1,4}|=)/iy;
const phrase = /[\p{L}\d][\p{L}\d' ]{8,100}[\p{L}\d!?]/uy;
const quotedEnd = /^[ \u00a0]?["'”“»]/;

const begins = startsWithOneOf("mpk");

/** Finds phrases of words that open a wallet or stand in a password's place. */
export function findPhrases(text: string, names: readonly number[]): Span[] {
  return spansAt(names, (at) => (begins(text, at) ? (walletAt(text, at) ?? phraseAt(text, at)) : undefined));
}

function walletAt(text: string, at: number): Span | undefined {
  wordsName.lastIndex = at;
  if (!wordsName.test(text)) return undefined;
  const numbered = numberedAt(text, wordsName.lastIndex);
  if (numbered !== undefined) return numbered;
  const found = walletWords.exec(text.slice(wordsName.lastIndex, at + walletCharsMax));
  const words = found?.[1] ?? "";
  const count = words.split(" ").filter((word) => walletWord.test(word)).length;
  if (found === null || count < 12 || count !== words.split(" ").length || proseWord.test(` ${words}`))
    return undefined;
  const start = wordsName.lastIndex + found.index + found[0].length - words.length;
  return { start, end: start + words.length, rule: "phrase" };
}

function numberedAt(text: string, at: number): Span | undefined {
  toNumbered.lastIndex = at;
  if (!toNumbered.test(text)) return undefined;
  const start = toNumbered.lastIndex;
  let count = 0;
  let end = start;
  for (; count < 24; count++) {
    numberedWord.lastIndex = end;
    if (Number(numberedWord.exec(text)?.[1]) !== count + 1) break;
    end = numberedWord.lastIndex;
  }
  if (count < 12) return undefined;
  const words = text.slice(start, end).trimEnd();
  const lines = "\n".repeat(words.split("\n").length - 1);
  return { start, end: start + words.length, rule: "phrase", replacement: `${markOf("phrase")}${lines}` };
}

function phraseAt(text: string, at: number): Span | undefined {
  name.lastIndex = at;
  if (!name.test(text)) return undefined;
  for (const [to, least, isQuoted] of [[toQuoted, 3, true] as const, [toLine, 4, false] as const]) {
    to.lastIndex = name.lastIndex;
    if (!to.test(text)) continue;
    phrase.lastIndex = to.lastIndex;
    if (!phrase.test(text)) continue;
    const [start, end] = [to.lastIndex, phrase.lastIndex];
    const value = text.slice(start, end);
    const behind = text.slice(end, end + 2);
    const words = value.split(" ");
    if (
      words.length < least ||
      words.length > 10 ||
      words.some((one) => one === "" || one.length > 15) ||
      holdsUsualWord(value)
    )
      continue;
    if (isQuoted ? quotedEnd.test(behind) : /^(?:\r?\n|$)/.test(behind)) return { start, end, rule: "phrase" };
  }
  return undefined;
}
