import { badLine } from "../errors.ts";
import { limits } from "../limits.ts";

/** A line without its end, and its number, from 1. */
export interface RawLine {
  readonly number: number;
  readonly bytes: Buffer;
}

const lineEnd = 0x0a;

/**
 * Cuts bytes into lines. A line that does not end in time is refused before it is held.
 * @throws CmError `bundle/limit`, `bundle/truncated`
 */
export async function* rawLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<RawLine> {
  let number = 1;
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const piece of bytes) {
    let from = 0;
    for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, from)) {
      const last = piece.subarray(from, end);
      checkLength(heldBytes + last.length, number);
      yield { number, bytes: held.length === 0 ? last : Buffer.concat([...held, last]) };
      held = [];
      heldBytes = 0;
      from = end + 1;
      number += 1;
      if (number > limits.linesMax) throw overLimit(number, "linesMax");
    }
    if (from === piece.length) continue;
    const rest = piece.subarray(from);
    held.push(rest);
    heldBytes += rest.length;
    checkLength(heldBytes, number);
  }
  if (heldBytes > 0) throw badLine("bundle/truncated", number, "it has no end");
}

function checkLength(length: number, number: number): void {
  if (length > limits.lineBytesMax) throw overLimit(number, "lineBytesMax");
}

function overLimit(number: number, limit: "lineBytesMax" | "linesMax") {
  return badLine("bundle/limit", number, `it passes ${limit} (${limits[limit]})`, { limit, bound: limits[limit] });
}
