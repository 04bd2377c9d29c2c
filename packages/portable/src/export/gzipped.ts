import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { bundleError } from "../errors.ts";
import { limits } from "../limits.ts";

/**
 * The same bytes as gzip data.
 * @throws CmError `bundle/limit` for text so repetitive that no reader would expand it again
 */
export async function* gzipped(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = createGzip();
  // Errors of the lines are thrown by the loop below.
  pipeline(Readable.from(text, { objectMode: false }), gzip, () => {});
  let bytes = 0;
  for await (const piece of gzip) {
    bytes += (piece as Buffer).length;
    yield piece as Buffer;
  }
  checkRatio(gzip.bytesWritten, bytes);
}

function checkRatio(before: number, after: number): void {
  const { ratioFreeBytes, expansionRatioMax: bound } = limits;
  // A margin, since a reader asks in the middle, too.
  if (before <= ratioFreeBytes || before * 2 <= after * bound) return;
  throw bundleError("bundle/limit", "The session shrinks so much that no reader would expand it; export it plain.", {
    limit: "expansionRatioMax",
    bound,
  });
}
