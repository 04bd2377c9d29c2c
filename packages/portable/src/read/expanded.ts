import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { bundleError } from "../errors.ts";
import { limits } from "../limits.ts";

/**
 * The bytes of a bundle as text, expanded where they are gzip data, which their first two bytes tell. Both the length
 * and the ratio are checked while they come, so what is held is one piece, however much a few bytes claim to be.
 * @throws CmError `bundle/limit`, `bundle/bad-compression`; or what the input throws
 */
export async function* expanded(input: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const { bytes, readBytes } of pieces(input)) {
    total += bytes.length;
    if (total > bytesMax) throw passed("bundleBytesMax", bytesMax, "It is longer than this reader takes");
    const { ratioFreeBytes, expansionRatioMax } = limits;
    if (readBytes !== undefined && total > ratioFreeBytes && total > readBytes * expansionRatioMax) {
      throw passed("expansionRatioMax", expansionRatioMax, "It expands to far more than it is");
    }
    yield bytes;
  }
}

function passed(limit: string, bound: number, what: string) {
  return bundleError("bundle/limit", `${what} (${limit}: ${bound}); nothing was written.`, { limit, bound });
}

interface Piece {
  readonly bytes: Buffer;
  /** The bytes of the compressed form so far. */
  readonly readBytes?: number;
}

async function* pieces(input: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  const iterator = buffers(input);
  const first: Buffer[] = [];
  let length = 0;
  while (length < 2) {
    const next = await iterator.next();
    if (next.done === true) break;
    first.push(next.value);
    length += next.value.length;
  }
  const start = Buffer.concat(first);
  const whole = chained(start, iterator);
  if (start[0] === 0x1f && start[1] === 0x8b) yield* gunzipped(whole);
  else for await (const bytes of whole) yield { bytes };
}

async function* buffers(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const bytes of input) {
    if (bytes.length > 0) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

async function* chained(start: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start;
  yield* rest;
}

async function* gunzipped(input: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  const gunzip = createGunzip();
  // All errors, also those of the input, are thrown by the loop below.
  pipeline(Readable.from(input, { objectMode: false }), gunzip, () => {});
  try {
    for await (const bytes of gunzip) yield { bytes: bytes as Buffer, readBytes: gunzip.bytesWritten };
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw bundleError("bundle/bad-compression", "The gzip data of the bundle is damaged or cut; copy it again.", {
      reason: error.code,
    });
  }
}

function isZlibError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
}
