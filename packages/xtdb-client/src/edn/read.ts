import { clientLimits } from "../limits.ts";
import { atomOf, EdnSyntaxError } from "./atoms.ts";
import { tagged } from "./tags.ts";
import { type EdnOutput, Keyword, Tagged } from "./values.ts";

/** Thrown by `readEdn`; says where, never what stood there. */
export { EdnSyntaxError } from "./atoms.ts";

const quote = 34;
const backslash = 92;

/** Reads one EDN value and nothing after it. Strict: what is cut off, left over or unknown is an EdnSyntaxError. */
export function readEdn(text: string): EdnOutput {
  const reader = new EdnReader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

export interface ListStart {
  readonly values: readonly EdnOutput[];
  readonly whole: boolean;
}

/**
 * Reads what is there of a list whose text was cut off: all elements that are whole, and whether the list is. A fault
 * that no cut explains is an error here too.
 */
export function readEdnListStart(text: string): ListStart {
  return new EdnReader(text).listStart();
}

class EdnReader {
  readonly #text: string;
  #at = 0;
  /** Where the next backslash is, so that strings without one are found by searching their end. */
  #backslash = -1;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): EdnOutput {
    const code = this.#next();
    switch (code) {
      case quote:
        return this.#string();
      case 91: // [
        this.#at += 1;
        return this.#items(93, this.#deeper(depth));
      case 40: // (
        this.#at += 1;
        return this.#items(41, this.#deeper(depth));
      case 123: // {
        this.#at += 1;
        return this.#map(this.#deeper(depth), undefined);
      case 35: // #
        return this.#dispatch(depth);
      default:
        return atomOf(this.#token(), this.#at);
    }
  }

  end(): void {
    if (this.#skip() !== undefined) this.#fail("something after the end");
  }

  listStart(): ListStart {
    const values: EdnOutput[] = [];
    if (this.#skip() === undefined) return { values, whole: false };
    const open = this.#text.charCodeAt(this.#at);
    if (open !== 40 && open !== 91) this.#fail("no list");
    this.#at += 1;
    const close = open === 40 ? 41 : 93;
    for (;;) {
      const code = this.#skip();
      if (code === undefined) return { values, whole: false };
      if (code === close) break;
      // Atoms may be cut without a trace; the lists that are read in parts hold maps only.
      if (code !== 123) this.#fail("an element that is no map");
      try {
        values.push(this.value(1));
      } catch (error) {
        if (error instanceof EdnSyntaxError && error.atEnd) return { values, whole: false };
        throw error;
      }
    }
    this.#at += 1;
    this.end();
    return { values, whole: true };
  }

  #items(close: number, depth: number): EdnOutput[] {
    const items: EdnOutput[] = [];
    while (this.#next() !== close) items.push(this.value(depth));
    this.#at += 1;
    return items;
  }

  #map(depth: number, namespace: string | undefined): EdnOutput {
    const entries: [EdnOutput, EdnOutput][] = [];
    let named = true;
    while (this.#next() !== 125) {
      let key = this.value(depth);
      if (this.#next() === 125) this.#fail("a key without a value");
      if (key instanceof Keyword) key = namespace === undefined ? key : inNamespace(key, namespace);
      else named = false;
      entries.push([key, this.value(depth)]);
    }
    this.#at += 1;
    return named ? this.#object(entries) : new Map(entries);
  }

  #object(entries: readonly (readonly [EdnOutput, EdnOutput])[]): EdnOutput {
    const object: Record<string, EdnOutput> = {};
    for (const [key, value] of entries) {
      const { name } = key as Keyword;
      if (Object.hasOwn(object, name)) this.#fail("a key that comes twice");
      if (name === "__proto__") {
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      } else object[name] = value;
    }
    return object;
  }

  #dispatch(depth: number): EdnOutput {
    const after = this.#text.charCodeAt(this.#at + 1);
    if (after === 123) {
      this.#at += 2;
      return new Set(this.#items(125, this.#deeper(depth)));
    }
    this.#at += 1;
    const token = this.#token();
    if (token.startsWith("#")) return atomOf(`#${token}`, this.#at);
    if (token.startsWith(":")) {
      if (this.#next() !== 123) this.#fail("a namespace without a map");
      this.#at += 1;
      return this.#map(this.#deeper(depth), token.slice(1));
    }
    if (!/^[A-Za-z][A-Za-z0-9._/-]*$/.test(token)) this.#fail("an unreadable tag");
    const value = this.value(this.#deeper(depth));
    return tagged(new Tagged(token, value), this.#at);
  }

  #string(): string {
    const text = this.#text;
    const from = this.#at + 1;
    const close = text.indexOf('"', from);
    if (close < 0) this.#fail("a string without an end", true);
    if (this.#backslash < from) {
      const found = text.indexOf("\\", from);
      this.#backslash = found < 0 ? text.length : found;
    }
    if (close < this.#backslash) {
      this.#at = close + 1;
      return text.slice(from, close);
    }
    return this.#escapedString(from);
  }

  #escapedString(from: number): string {
    const text = this.#text;
    let value = "";
    let start = from;
    let close = text.indexOf('"', from);
    let next = this.#backslash;
    let surrogates = false;
    while (next < close) {
      value += text.slice(start, next);
      const letter = text[next + 1] ?? "";
      surrogates ||= letter === "u";
      value += letter === "u" ? this.#unicode(next + 2) : (escapes.get(letter) ?? this.#fail("an unknown escape"));
      start = next + (letter === "u" ? 6 : 2);
      if (close < start) close = text.indexOf('"', start);
      if (close < 0) this.#fail("a string without an end", true);
      next = text.indexOf("\\", start);
      if (next < 0) next = text.length;
    }
    value += text.slice(start, close);
    this.#at = close + 1;
    this.#backslash = next;
    // Only escapes can bring one in: the answer itself was checked as UTF-8.
    if (surrogates && !value.isWellFormed()) this.#fail("a lone surrogate");
    return value;
  }

  #unicode(at: number): string {
    const digits = this.#text.slice(at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#fail("an unknown escape", at + 4 > this.#text.length);
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** Up to the next delimiter. */
  #token(): string {
    const text = this.#text;
    const from = this.#at;
    // A character may be a delimiter itself.
    let at = text.charCodeAt(from) === backslash ? from + 2 : from;
    while (at < text.length && !isDelimiter(text.charCodeAt(at))) at += 1;
    if (at === from) this.#fail("a bracket out of place");
    this.#at = at;
    return text.slice(from, at);
  }

  /** Moves to the next code that is no white space and no comment; `undefined` at the end. */
  #skip(): number | undefined {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === 32 || code === 44 || (code >= 9 && code <= 13)) this.#at += 1;
      else if (code === 59) {
        const line = text.indexOf("\n", this.#at);
        this.#at = line < 0 ? text.length : line + 1;
      } else return Number.isNaN(code) ? undefined : code;
    }
  }

  #next(): number {
    return this.#skip() ?? this.#fail("the end of the text", true);
  }

  #deeper(depth: number): number {
    return depth < clientLimits.readDepthMax ? depth + 1 : this.#fail(`more than ${clientLimits.readDepthMax} levels`);
  }

  #fail(what: string, atEnd = false): never {
    throw new EdnSyntaxError(what, this.#at, atEnd);
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

/** `#:a{:b 1}` is `{:a/b 1}`; `:_/b` stands for `:b`. */
function inNamespace({ name }: Keyword, namespace: string): Keyword {
  if (name.startsWith("_/")) return new Keyword(name.slice(2));
  return new Keyword(name.includes("/") ? name : `${namespace}/${name}`);
}
