import { limits } from "../limits.ts";

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/**
 * The limit that the JSON in some bytes exceeds, if any: nesting and number of values, counted without building values.
 * A parser would have to build millions of empty arrays before a check.
 */
export function passedBound(bytes: Uint8Array): "lineDepthMax" | "lineValuesMax" | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = endOfText(bytes, at);
    else if (opening.has(byte)) {
      depth += 1;
      values += 1;
      if (depth > limits.lineDepthMax) return "lineDepthMax";
    } else if (closing.has(byte)) depth -= 1;
    else if (byte === comma) values += 1;
    if (values > 2 * limits.lineValuesMax) return "lineValuesMax";
  }
  return undefined;
}

/** The place of the closing quote, or the end of the bytes. A quote behind an odd number of backslashes closes nothing. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let before = end - 1;
    while (bytes[before] === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return bytes.length;
}
