import { clientLimits } from "../limits.ts";
import { atomOf, EdnSyntaxError } from "./atoms.ts";
import { EdnScanner } from "./scanner.ts";
import { tagged } from "./tags.ts";
import { type EdnOutput, Keyword, Tagged } from "./values.ts";

/** Thrown by `readEdn`; says where, never what stood there. */
export { EdnSyntaxError } from "./atoms.ts";

const quote = 34;

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
  readonly #scan: EdnScanner;

  constructor(text: string) {
    this.#scan = new EdnScanner(text);
  }

  value(depth: number): EdnOutput {
    const code = this.#scan.next();
    switch (code) {
      case quote:
        return this.#scan.string();
      case 91: // [
        this.#scan.at += 1;
        return this.#items(93, this.#deeper(depth));
      case 40: // (
        this.#scan.at += 1;
        return this.#items(41, this.#deeper(depth));
      case 123: // {
        this.#scan.at += 1;
        return this.#map(this.#deeper(depth), undefined);
      case 35: // #
        return this.#dispatch(depth);
      default:
        return atomOf(this.#scan.token(), this.#scan.at);
    }
  }

  end(): void {
    if (this.#scan.skip() !== undefined) this.#scan.fail("something after the end");
  }

  listStart(): ListStart {
    const values: EdnOutput[] = [];
    if (this.#scan.skip() === undefined) return { values, whole: false };
    const open = this.#scan.text.charCodeAt(this.#scan.at);
    if (open !== 40 && open !== 91) this.#scan.fail("no list");
    this.#scan.at += 1;
    const close = open === 40 ? 41 : 93;
    for (;;) {
      const code = this.#scan.skip();
      if (code === undefined) return { values, whole: false };
      if (code === close) break;
      // Atoms may be cut without a trace; the lists that are read in parts hold maps only.
      if (code !== 123) this.#scan.fail("an element that is no map");
      try {
        values.push(this.value(1));
      } catch (error) {
        // A token that was cut may be anything, such as the `1.5E` of `1.5E7`.
        const isCut = error instanceof EdnSyntaxError && (error.atEnd || this.#scan.at >= this.#scan.text.length);
        if (isCut) return { values, whole: false };
        throw error;
      }
    }
    this.#scan.at += 1;
    this.end();
    return { values, whole: true };
  }

  #items(close: number, depth: number): EdnOutput[] {
    const items: EdnOutput[] = [];
    while (this.#scan.next() !== close) items.push(this.value(depth));
    this.#scan.at += 1;
    return items;
  }

  #map(depth: number, namespace: string | undefined): EdnOutput {
    const entries: [EdnOutput, EdnOutput][] = [];
    let named = true;
    while (this.#scan.next() !== 125) {
      let key = this.value(depth);
      if (this.#scan.next() === 125) this.#scan.fail("a key without a value");
      if (key instanceof Keyword) key = namespace === undefined ? key : inNamespace(key, namespace);
      else named = false;
      entries.push([key, this.value(depth)]);
    }
    this.#scan.at += 1;
    return named ? this.#object(entries) : new Map(entries);
  }

  #object(entries: readonly (readonly [EdnOutput, EdnOutput])[]): EdnOutput {
    const object: Record<string, EdnOutput> = {};
    for (const [key, value] of entries) {
      const { name } = key as Keyword;
      if (Object.hasOwn(object, name)) this.#scan.fail("a key that comes twice");
      if (name === "__proto__") {
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      } else object[name] = value;
    }
    return object;
  }

  #dispatch(depth: number): EdnOutput {
    const after = this.#scan.text.charCodeAt(this.#scan.at + 1);
    if (after === 123) {
      this.#scan.at += 2;
      return new Set(this.#items(125, this.#deeper(depth)));
    }
    this.#scan.at += 1;
    const token = this.#scan.token();
    if (token.startsWith("#")) return atomOf(`#${token}`, this.#scan.at);
    if (token.startsWith(":")) {
      if (this.#scan.next() !== 123) this.#scan.fail("a namespace without a map");
      this.#scan.at += 1;
      return this.#map(this.#deeper(depth), token.slice(1));
    }
    if (!/^[A-Za-z][A-Za-z0-9._/-]*$/.test(token)) this.#scan.fail("an unreadable tag");
    const value = this.value(this.#deeper(depth));
    return tagged(new Tagged(token, value), this.#scan.at);
  }

  #deeper(depth: number): number {
    return depth < clientLimits.readDepthMax
      ? depth + 1
      : this.#scan.fail(`more than ${clientLimits.readDepthMax} levels`);
  }
}

/** `#:a{:b 1}` is `{:a/b 1}`; `:_/b` stands for `:b`. */
function inNamespace({ name }: Keyword, namespace: string): Keyword {
  if (name.startsWith("_/")) return new Keyword(name.slice(2));
  return new Keyword(name.includes("/") ? name : `${namespace}/${name}`);
}
