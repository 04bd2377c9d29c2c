import { byteLines } from "./byte-lines.ts";
import { limits } from "./limits.ts";
import { bytesOf, type JournalSource, sourceName } from "./source.ts";

/** A JSON object as it came from a line: own keys only, also one called `__proto__`. Treat it as data. */
export type RawObject = Readonly<Record<string, unknown>>;

/** Why a line was skipped. A cut last line is `not-json`. */
export type BadLineReason = "not-json" | "not-an-object" | "too-deep";

/** One line that is not blank: an object, or the reason why it is none. */
export type JsonLine =
  | { readonly number: number; readonly value: RawObject; readonly bad?: undefined }
  | { readonly number: number; readonly value?: undefined; readonly bad: BadLineReason };

export interface JsonLinesOptions {
  /** Lowers `limits.lineBytesMax`; it cannot raise it. */
  readonly lineBytesMax?: number;
}

/**
 * Reads JSONL of any size, one line in memory at a time. A byte order mark and CRLF are tolerated; bytes that are no
 * UTF-8 become U+FFFD; blank lines are left out but counted in the numbers.
 * @throws CmError `journal/unreadable`, `journal/line-too-long`.
 */
export async function* jsonLines(source: JournalSource, options: JsonLinesOptions = {}): AsyncGenerator<JsonLine> {
  const bytesMax = Math.min(options.lineBytesMax ?? limits.lineBytesMax, limits.lineBytesMax);
  for await (const { number, bytes } of byteLines(bytesOf(source), { bytesMax, name: sourceName(source) })) {
    const line = jsonLine(number, bytes);
    if (line !== undefined) yield line;
  }
}

function jsonLine(number: number, bytes: Uint8Array): JsonLine | undefined {
  const decoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const text = number === 1 && decoded.startsWith("\uFEFF") ? decoded.slice(1) : decoded;
  if (text.trim() === "") return undefined;
  const value = parsed(text);
  if (value === undefined) return { number, bad: "not-json" };
  if (!isRawObject(value)) return { number, bad: "not-an-object" };
  if (isTooDeep(value, text)) return { number, bad: "too-deep" };
  return { number, value };
}

/** The value, or undefined, which JSON cannot express. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRawObject(value: unknown): value is RawObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an object passes `limits.jsonDepthMax`. @param text of the object: what opens few brackets is not looked at */
export function isTooDeep(value: object, text: string): boolean {
  return opensMoreThan(limits.jsonDepthMax, text) && isDeeperThan(value, limits.jsonDepthMax);
}

/** Brackets inside of strings count, too. */
function opensMoreThan(max: number, text: string): boolean {
  let count = 0;
  for (const bracket of "{[") {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > max) return true;
    }
  }
  return false;
}

/** Recursive as deep as is allowed and no further: the depth is what an attacker chooses. */
function isDeeperThan(value: object, depthMax: number): boolean {
  if (depthMax === 0) return true;
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key];
    if (typeof child === "object" && child !== null && isDeeperThan(child, depthMax - 1)) return true;
  }
  return false;
}
