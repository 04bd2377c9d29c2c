import { XtdbError } from "../errors.ts";
import { clientLimits } from "../limits.ts";
import { Double, type EdnInput, EdnSymbol, Keyword, keyPattern, Tagged } from "./values.ts";

/** Instants before are read by another calendar in Java than in JavaScript; after, years have five digits. */
const firstInstant = Date.UTC(1583, 0, 1);
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Attribute names that were checked, with what is written for them. */
const knownKeys = new Map<string, string>();

/** Writes one value as EDN, appending to `text`; refuses whatever would not be read back as it is. */
export class EdnWriter {
  text = "";
  /** The name of the written value in errors: "operation 3". */
  subject = "the value";

  value(value: EdnInput, depth = 0): void {
    if (typeof value === "string") this.string(value);
    else if (typeof value === "number") this.raw(numberText(value, this));
    else if (typeof value === "boolean") this.raw(value ? "true" : "false");
    else if (typeof value === "bigint") this.raw(integerText(value, this));
    else if (value === null) this.raw("nil");
    else if (typeof value === "object") this.#object(value, depth);
    else this.refuse(`is ${typeof value}; leave it out or use null`);
  }

  /** Text of ours, never of a caller. */
  raw(text: string): void {
    this.text += text;
  }

  string(value: string): void {
    // A lone surrogate would be stored as "?": text and hash of it would no longer agree.
    if (!value.isWellFormed()) this.refuse("is a string with a lone surrogate, which XTDB would store as another one");
    this.#room(value.length);
    // EDN reads the same escapes as JSON.
    this.text += JSON.stringify(value);
  }

  /** A map; `checkKey` may refuse more than the alphabet does. */
  map(map: Readonly<Record<string, EdnInput>>, depth: number, checkKey?: (key: string) => void): void {
    if (depth >= clientLimits.writeDepthMax) this.refuse(`is deeper than ${clientLimits.writeDepthMax} levels`);
    let before = "{";
    for (const key of Object.keys(map)) {
      checkKey?.(key);
      this.text += before;
      this.text += knownKeys.get(key) ?? keyText(key, this);
      this.value(map[key] as EdnInput, depth + 1);
      before = " ";
    }
    this.text += before === "{" ? "{}" : "}";
    this.#room(0);
  }

  instant(date: Date): void {
    this.text += `#inst "${instantText(date, this)}"`;
  }

  refuse(why: string): never {
    throw new XtdbError("xtdb/invalid", `${this.subject}: a value ${why}.`, { subject: this.subject });
  }

  #object(value: Exclude<EdnInput, string | number | boolean | bigint | null>, depth: number): void {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (Array.isArray(value)) this.#sequence("[", value, "]", depth);
    else if (prototype === Object.prototype || prototype === null) {
      this.map(value as Readonly<Record<string, EdnInput>>, depth);
    } else if (value instanceof Date) this.instant(value);
    else if (value instanceof Uint8Array) this.#bytes(value);
    else if (value instanceof Set) this.#sequence("#{", value, "}", depth);
    else if (value instanceof Double) this.raw(doubleText(value.value, this));
    else if (value instanceof Keyword || value instanceof EdnSymbol) this.#name(value);
    else if (value instanceof Tagged) this.#tagged(value);
    else this.refuse("is an object of a class that has no EDN form");
  }

  #sequence(open: string, values: Iterable<EdnInput>, close: string, depth: number): void {
    if (depth >= clientLimits.writeDepthMax) this.refuse(`is deeper than ${clientLimits.writeDepthMax} levels`);
    let before = open;
    for (const value of values) {
      this.text += before;
      this.value(value, depth + 1);
      before = " ";
    }
    this.text += before === open ? open + close : close;
    this.#room(0);
  }

  /** Answers may contain names that the writer cannot express; those are refused. */
  #name(value: Keyword | EdnSymbol): void {
    const valid =
      value instanceof Keyword
        ? keyPattern.test(value.name)
        : /^[^\s,;"'`~@^()[\]{}\\#:0-9][^\s,;"`~@^()[\]{}\\]*$/.test(value.name);
    if (!valid || value.name.length > clientLimits.keyCharsMax)
      this.refuse("is a keyword or symbol that cannot be written");
    this.text += value.toString();
  }

  #bytes(bytes: Uint8Array): void {
    this.#room(Math.ceil(bytes.length / 3) * 4);
    this.text += `#xtdb/base64 "${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}"`;
  }

  #tagged({ tag, value }: Tagged): void {
    if (!writableTags.has(tag) || typeof value !== "string") this.refuse("has a tag that cannot be written");
    this.text += `#${tag} `;
    this.string(value);
  }

  #room(more: number): void {
    if (this.text.length + more > clientLimits.requestBytesMax) {
      throw new XtdbError(
        "xtdb/invalid",
        `${this.subject}: more than ${clientLimits.requestBytesMax} bytes; send it in parts.`,
        {
          subject: this.subject,
          bytesMax: clientLimits.requestBytesMax,
        },
      );
    }
  }
}

/** Tags with a string inside that XTDB reads back to the same value. */
const writableTags = new Set([
  "uuid",
  "xtdb/id",
  "xtdb/instant",
  "xtdb/duration",
  "xtdb/zdt",
  "xtdb/local-date",
  "xtdb/local-date-time",
  "xtdb/local-time",
]);

/** The EDN text of one value. */
export function writeEdn(value: EdnInput, subject = "the value"): string {
  const writer = new EdnWriter();
  writer.subject = subject;
  writer.value(value);
  return writer.text;
}

/** `yyyy-mm-ddThh:mm:ss.mmmZ`, as XTDB takes it in documents and in URLs. */
export function instantText(date: Date, writer: Pick<EdnWriter, "refuse">): string {
  const ms = date.getTime();
  if (!(ms >= firstInstant && ms <= lastInstant)) writer.refuse("is a Date outside the years 1583 to 9999");
  return date.toISOString();
}

function keyText(key: string, writer: EdnWriter): string {
  if (key.length > clientLimits.keyCharsMax || !keyPattern.test(key)) {
    writer.refuse("has an attribute name outside [A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)?; keep data out of names");
  }
  if (knownKeys.size >= clientLimits.keysRememberedMax) knownKeys.clear();
  const text = `:${key} `;
  knownKeys.set(key, text);
  return text;
}

function numberText(value: number, writer: EdnWriter): string {
  // XTDB does not keep the sign of -0, so it is written as the 0 that comes back.
  return Number.isSafeInteger(value) ? String(value) : doubleText(value, writer);
}

function doubleText(value: number, writer: EdnWriter): string {
  if (!Number.isFinite(value)) writer.refuse("is a number that is not finite");
  const text = String(value);
  // Without a point or an exponent Clojure would read an integer.
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function integerText(value: bigint, writer: EdnWriter): string {
  if (BigInt.asIntN(64, value) === value) return String(value);
  // Bits before digits: turning a huge one into digits is what costs.
  if (value > hugeInteger || value < -hugeInteger)
    writer.refuse(`is an integer of more than ${clientLimits.integerDigitsMax} digits`);
  return `${value}N`;
}

const hugeInteger = 10n ** BigInt(clientLimits.integerDigitsMax) - 1n;
