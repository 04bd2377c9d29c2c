import { clientLimits } from "../limits.ts";
import { EdnAtom, type EdnOutput, EdnSymbol, Keyword } from "./values.ts";

/** Text that is no EDN, or no EDN that could be read without loss. */
export class EdnSyntaxError extends Error {
  override readonly name = "EdnSyntaxError";
  /** Offset in characters. */
  readonly at: number;
  /** Whether more text might have mended it. */
  readonly atEnd: boolean;

  constructor(what: string, at: number, atEnd = false) {
    super(`EDN: ${what} at character ${at}`);
    this.at = at;
    this.atEnd = atEnd;
  }
}

const integer = /^[+-]?(?:0|[1-9]\d*)N?$/;
const float = /^[+-]?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?$/;
const foreign = /^(?:[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?M|[+-]?\d+\/\d+)$/;
const name = /^[^\s,;"'`~@^()[\]{}\\#:0-9][^\s,;"`~@^()[\]{}\\]*$/;
const keywordName = /^[^\s,;"`~@^()[\]{}\\:][^\s,;"`~@^()[\]{}\\]*$/;
const character =
  /^\\(?:u[0-9a-fA-F]{4}|newline|return|space|tab|backspace|formfeed|o[0-7]{1,3}|[^\s]|[\ud800-\udbff][\udc00-\udfff])$/;

/** Attribute names come again and again. */
const knownKeywords = new Map<string, Keyword>();

/** The value of a token without brackets or quotes; `at` is its end, for errors. */
export function atomOf(token: string, at: number): EdnOutput {
  const code = token.charCodeAt(0);
  if (code === 58) return keywordOf(token, at);
  if ((code >= 48 && code <= 57) || ((code === 43 || code === 45) && /^[+-]\d/.test(token))) return numberOf(token, at);
  switch (token) {
    case "nil":
      return null;
    case "true":
      return true;
    case "false":
      return false;
    case "##NaN":
      return Number.NaN;
    case "##Inf":
      return Number.POSITIVE_INFINITY;
    case "##-Inf":
      return Number.NEGATIVE_INFINITY;
  }
  if (character.test(token)) return new EdnAtom(token);
  if (!name.test(token)) throw new EdnSyntaxError("an unreadable token", at);
  return new EdnSymbol(token);
}

function keywordOf(token: string, at: number): Keyword {
  const known = knownKeywords.get(token);
  if (known !== undefined) return known;
  const text = token.slice(1);
  if (!keywordName.test(text)) throw new EdnSyntaxError("an unreadable keyword", at);
  const made = new Keyword(text);
  if (text.length <= clientLimits.keyCharsMax) {
    if (knownKeywords.size >= clientLimits.keysRememberedMax) knownKeywords.clear();
    knownKeywords.set(token, made);
  }
  return made;
}

function numberOf(token: string, at: number): EdnOutput {
  if (integer.test(token)) {
    if (token.length > clientLimits.integerDigitsMax + 2) throw new EdnSyntaxError("an integer that is too long", at);
    const big = token.endsWith("N");
    const value = Number(big ? token.slice(0, -1) : token);
    if (!big && Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    return BigInt(token.replace(/^\+|N$/g, ""));
  }
  if (float.test(token)) return Number(token);
  if (foreign.test(token)) return new EdnAtom(token);
  throw new EdnSyntaxError("an unreadable number", at);
}
