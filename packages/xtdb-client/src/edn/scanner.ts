import { EdnSyntaxError } from "./atoms.ts";

const quote = 34;
const backslash = 92;

/** Goes through EDN text: white space, strings and tokens. What they mean is said elsewhere. */
export class EdnScanner {
  readonly text: string;
  at = 0;
  /** The place of the next backslash, so that a string without one is read by searching its end. */
  #backslash = -1;

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the next code that is no white space and no comment; `undefined` at the end. */
  skip(): number | undefined {
    const text = this.text;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code === 32 || code === 44 || (code >= 9 && code <= 13)) this.at += 1;
      else if (code === 59) {
        const line = text.indexOf("\n", this.at);
        this.at = line < 0 ? text.length : line + 1;
      } else return Number.isNaN(code) ? undefined : code;
    }
  }

  next(): number {
    return this.skip() ?? this.fail("the end of the text", true);
  }

  /** A string, from its opening quote. */
  string(): string {
    const text = this.text;
    const from = this.at + 1;
    const close = text.indexOf('"', from);
    if (close < 0) this.fail("a string without an end", true);
    if (this.#backslash < from) {
      const found = text.indexOf("\\", from);
      this.#backslash = found < 0 ? text.length : found;
    }
    if (close < this.#backslash) {
      this.at = close + 1;
      return ownText(text.slice(from, close), text);
    }
    return this.#escapedString(from);
  }

  /** Up to the next delimiter. */
  token(): string {
    const text = this.text;
    const from = this.at;
    // A character may be a delimiter itself.
    let at = text.charCodeAt(from) === backslash ? from + 2 : from;
    while (at < text.length && !isDelimiter(text.charCodeAt(at))) at += 1;
    if (at === from) this.fail("a bracket out of place");
    this.at = at;
    return text.slice(from, at);
  }

  fail(what: string, atEnd = false): never {
    throw new EdnSyntaxError(what, this.at, atEnd);
  }

  #escapedString(from: number): string {
    const close = this.#closingQuote(from);
    const inside = this.text.slice(from, close);
    const value = unescapedByJson(inside) ?? this.#unescaped(from, close);
    // Only escapes can bring one in: the answer itself was checked as UTF-8.
    if (inside.includes("\\u") && !value.isWellFormed()) this.fail("a lone surrogate");
    this.at = close + 1;
    this.#backslash = -1;
    return value;
  }

  /** The next quote with no backslash, or an even number of them, before it. */
  #closingQuote(from: number): number {
    const text = this.text;
    for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
      let before = at;
      while (before > from && text.charCodeAt(before - 1) === backslash) before -= 1;
      if ((at - before) % 2 === 0) return at;
    }
    return this.fail("a string without an end", true);
  }

  /** The slow way, for text with controls in it. */
  #unescaped(from: number, close: number): string {
    const text = this.text;
    let value = "";
    let start = from;
    for (let next = this.#backslash; next >= 0 && next < close; next = text.indexOf("\\", start)) {
      const letter = text[next + 1] ?? "";
      value += text.slice(start, next);
      value += letter === "u" ? this.#unicode(next + 2) : (escapes.get(letter) ?? this.fail("an unknown escape"));
      start = next + (letter === "u" ? 6 : 2);
    }
    return value + text.slice(start, close);
  }

  #unicode(at: number): string {
    const digits = this.text.slice(at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("an unknown escape", at + 4 > this.text.length);
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}

/** V8 copies shorter parts of a text by itself. */
const sharedCharsMin = 13;

/**
 * A part of an answer, which may be kept for long. V8 makes a reference into the answer of it, and so would keep all of the
 * answer alive: where that is much longer, the part becomes a text of its own.
 */
function ownText(part: string, answer: string): string {
  if (part.length < sharedCharsMin || part.length * 4 > answer.length) return part;
  return unescapedByJson(part) ?? part;
}

/** EDN's escapes are JSON's but for one, so its parser serves wherever no control stands bare in the text. */
function unescapedByJson(inside: string): string | undefined {
  if (inside.includes("\\/")) return undefined;
  try {
    return JSON.parse(`"${inside}"`);
  } catch {
    return undefined;
  }
}

const escapes = new Map([
  ["t", "\t"],
  ["r", "\r"],
  ["n", "\n"],
  ["b", "\b"],
  ["f", "\f"],
  ["\\", "\\"],
  ['"', '"'],
]);

function isDelimiter(code: number): boolean {
  switch (code) {
    case 32:
    case 44:
    case quote:
    case 40:
    case 41:
    case 59:
    case 91:
    case 93:
    case 123:
    case 125:
      return true;
    default:
      return code <= 32;
  }
}
