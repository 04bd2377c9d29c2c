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
  let fault: { readonly error: unknown } | undefined;
  async function* watched() {
    try {
      yield* text;
    } catch (error) {
      fault = { error };
      throw error;
    }
  }
  pipeline(Readable.from(watched(), { objectMode: false }), gzip, () => {});
  let bytes = 0;
  try {
    for await (const piece of gzip) {
      bytes += (piece as Buffer).length;
      yield piece as Buffer;
    }
  } catch (error) {
    throw fault === undefined ? error : fault.error;
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
