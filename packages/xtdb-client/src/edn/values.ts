import { XtdbError } from "../errors.ts";
import { clientLimits } from "../limits.ts";

/** The form of keywords, and so of attribute names: a name, or a namespace, a slash and a name. */
export const keyPattern = /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)?$/;

/** `:a/b`. Made by `keyword`; answers may bring others than it allows. */
export class Keyword {
  /** Without the colon: `a/b`. */
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toString(): string {
    return `:${this.name}`;
  }
}

/** `a/b`, bare. */
export class EdnSymbol {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toString(): string {
    return this.name;
  }
}

/** A number that is a double in the database even where it is whole, as `double(3)` is. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  valueOf(): number {
    return this.value;
  }
}

/** `#uuid "..."` and every other tag that this package has no type for. */
export class Tagged {
  readonly tag: string;
  readonly value: EdnOutput;

  constructor(tag: string, value: EdnOutput) {
    this.tag = tag;
    this.value = value;
  }
}

/** An atom that JavaScript has no type for, as it stood in the answer: `1.5M`, `1/3`, `\a`. */
export class EdnAtom {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * The values that can be written: documents, arguments, ids. Whole numbers within 2^53 become integers, all others
 * doubles.
 */
export type EdnInput =
  | string
  | boolean
  | null
  | number
  | bigint
  | Date
  | Uint8Array
  | Keyword
  | EdnSymbol
  | Double
  | Tagged
  | ReadonlySet<EdnInput>
  | readonly EdnInput[]
  | { readonly [key: string]: EdnInput };

/** The values of an EDN answer. A map with keywords alone as keys is a plain object, any other a Map. */
export type EdnOutput =
  | string
  | boolean
  | null
  | number
  | bigint
  | Date
  | Uint8Array
  | Keyword
  | EdnSymbol
  | Double
  | Tagged
  | EdnAtom
  | ReadonlySet<EdnOutput>
  | ReadonlyMap<EdnOutput, EdnOutput>
  | readonly EdnOutput[]
  | { readonly [key: string]: EdnOutput };

/** `keyword("a/b")` is `:a/b`. */
export function keyword(name: string): Keyword {
  if (typeof name !== "string" || name.length > clientLimits.keyCharsMax || !keyPattern.test(name)) {
    throw new XtdbError(
      "xtdb/invalid",
      "keyword(name) takes [A-Za-z0-9_.-]+ with at most one slash between; choose another name.",
    );
  }
  return new Keyword(name);
}

const symbolPattern =
  /^[A-Za-z*!_?$%&=<>+-][A-Za-z0-9.*!_?$%&=<>+-]*(?:\/[A-Za-z*!_?$%&=<>+-][A-Za-z0-9.*!_?$%&=<>+-]*)?$/;

/** `symbol("a/b")` is the bare `a/b`. Documents rarely hold symbols; queries take theirs from their text. */
export function symbol(name: string): EdnSymbol {
  const valid = typeof name === "string" && name.length <= clientLimits.keyCharsMax && symbolPattern.test(name);
  if (!valid || /^[+-]\d|^(?:nil|true|false)$/.test(name)) {
    throw new XtdbError("xtdb/invalid", "symbol(name) takes an EDN symbol that is no number, nil, true or false.");
  }
  return new EdnSymbol(name);
}

/** `double(3)` is `3.0`, which in XTDB is another value than `3`. */
export function double(value: number): Double {
  if (!Number.isFinite(value)) throw new XtdbError("xtdb/invalid", "double(value) takes a finite number.");
  return new Double(value);
}

/** `uuid("...")` is `#uuid "..."`. */
export function uuid(text: string): Tagged {
  if (typeof text !== "string" || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) {
    throw new XtdbError(
      "xtdb/invalid",
      "uuid(text) takes 36 lower-case characters, such as crypto.randomUUID() gives.",
    );
  }
  return new Tagged("uuid", text);
}
