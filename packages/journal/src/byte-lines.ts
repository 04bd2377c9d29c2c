import { CmError } from "@cm/object-model";

/** One line as it stands in the file, without its line break. */
export interface ByteLine {
  /** From 1, blank lines counted. */
  readonly number: number;
  readonly bytes: Uint8Array;
}

export interface LineBound {
  /** Longest line in bytes, without its line break. */
  readonly bytesMax: number;
  /** The name of the file in errors. */
  readonly name: string;
}

const lineFeed = 0x0a;

/**
 * Cuts bytes into lines at LF. Never holds more than one line and one chunk, and gives up on a line as soon as it is
 * known to be too long, before the rest of it is read.
 * @throws CmError `journal/line-too-long`; data: file, line, bytesMax.
 */
export async function* byteLines(chunks: AsyncIterable<Uint8Array>, bound: LineBound): AsyncGenerator<ByteLine> {
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(lineFeed, start);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end);
      length += piece.length;
      if (length > bound.bytesMax) throw tooLong(number, bound);
      pieces.push(piece);
      if (end < 0) break;
      yield { number, bytes: joined(pieces, length) };
      number += 1;
      pieces = [];
      length = 0;
      start = end + 1;
    }
  }
  if (length > 0) yield { number, bytes: joined(pieces, length) };
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length);
}

function tooLong(line: number, bound: LineBound): CmError<"journal/line-too-long"> {
  const message = `Line ${line} of ${bound.name} is longer than ${bound.bytesMax} bytes; name a file that is a session.`;
  return new CmError("journal/line-too-long", message, { file: bound.name, line, bytesMax: bound.bytesMax });
}
