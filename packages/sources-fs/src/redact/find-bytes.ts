import { strengthOf, wordsOf } from "./name-strength.ts";
import { markOf, type Span } from "./span.ts";
import { spansAt } from "./spans-at.ts";

const rule = "bytes";
const nameBefore = /(?:[A-Za-z-]{1,24} )?[\w-]{0,40}$/;
/** From the end of a name to the first byte: `AppKey[16] = {`, `network_key: [`, `Secret = new byte[] {`, `"key": [`. */
const toList =
  /(\w{1,40})(?:\[\w{0,16}\])?["']?[ \t]{0,4}(?:=|:)[ \t]{0,4}(?:new[ \t]\w{1,16}(?:\[\d{0,4}\])?[ \t]{0,2}\(?|\[\d{0,4}\](?:byte|u8|uint8)|(?:bytes|bytearray|Uint8Array\.(?:from|of))\()?([[{(])\s{0,16}/y;
const list = /[\dA-Fa-fxX,\s]{31,2000}(?=[\]})])/y;
const byte = /^(?:0[xX][\dA-Fa-f]{1,2}|\d{1,3})$/;
/** Tables of constants are longer than keys. */
const [bytesMin, bytesMax] = [16, 128];

/** OpenSSL prints the parts of a private key by these names, each as lines of bytes. */
const toDump = /(?:riv|eExponent):[ \t]{0,4}\r?\n[ \t]{0,16}(?=[\da-f]{2}:[\da-f]{2}:)/y;
const nextPart = /\s{0,4}(?:prime\d|exponent\d|coefficient):[ \t]{0,4}\r?\n(?=[ \t]{0,16}[\da-f]{2}:)/y;
const dump = /[\da-f:\s]{45,4000}[\da-f](?=\r?\n|$)/y;

/** Finds keys that are written as lists of bytes, behind a name that says so. */
export function findBytes(text: string, names: readonly number[]): Span[] {
  return spansAt(names, (at) => listAt(text, at) ?? dumpAt(text, at));
}

function listAt(text: string, at: number): Span | undefined {
  toList.lastIndex = at;
  const [, rest = "", bracket = ""] = toList.exec(text) ?? [];
  if (bracket === "") return undefined;
  const start = toList.lastIndex;
  list.lastIndex = start;
  if (!list.test(text)) return undefined;
  const body = text.slice(start, list.lastIndex).trimEnd();
  const name = `${nameBefore.exec(text.slice(Math.max(0, at - 64), at))?.[0] ?? ""}${rest}`;
  const own = wordsOf(name.slice(name.lastIndexOf(" ") + 1));
  if (strengthOf(wordsOf(name), own) < 2 || !areDrawn(body)) return undefined;
  // A list of JSON is one again.
  const mark = bracket === "[" ? `"${markOf(rule)}"` : markOf(rule);
  return { start, end: start + body.length, rule, replacement: withLines(mark, body) };
}

function areDrawn(body: string): boolean {
  const parts = body.replace(/,$/, "").split(/\s*,\s*/);
  if (parts.length < bytesMin || parts.length > bytesMax || !parts.every((part) => byte.test(part))) return false;
  const bytes = parts.map(Number);
  const steps = bytes.slice(1).map((one, n) => one - (bytes[n] as number));
  return (
    bytes.every((one) => one < 256) &&
    bytes.some((one) => one > 127) &&
    new Set(bytes).size * 5 >= Math.min(bytes.length, 64) * 4 &&
    new Set(steps).size * 2 >= Math.min(steps.length, 64)
  );
}

function dumpAt(text: string, at: number): Span | undefined {
  toDump.lastIndex = at;
  if (!toDump.test(text)) return undefined;
  const start = toDump.lastIndex;
  let end = start;
  for (let part = start; ; part = nextPart.lastIndex) {
    dump.lastIndex = part;
    if (!dump.test(text)) break;
    end = dump.lastIndex;
    nextPart.lastIndex = end;
    if (!nextPart.test(text)) break;
  }
  return end === start ? undefined : { start, end, rule, replacement: withLines(markOf(rule), text.slice(start, end)) };
}

/** The mark, and as many line breaks as there were. */
function withLines(mark: string, body: string): string {
  return `${mark}${"\n".repeat(body.split("\n").length - 1)}`;
}
