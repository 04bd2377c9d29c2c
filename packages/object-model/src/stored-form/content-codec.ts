import { hash } from "node:crypto";
import zlib from "node:zlib";
import { storedFormLimits } from "./limits.ts";

/** How a text is held. The meaning of a number never changes; a better way gets the next one. */
const encodings = { utf8: 0, zstd: 1, deflate: 2 } as const;

const compressChunkBytesMax = 64 * 1024;

export interface EncodedContent {
  /** Bytes of the text as UTF-8. */
  readonly size: number;
  readonly enc: number;
  readonly data: Uint8Array;
}

export function encodeContent(text: string): EncodedContent {
  const plain = Buffer.from(text);
  if (plain.length >= storedFormLimits.contentCompressBytesMin) {
    // With the size known and room for one frame, a sixth less time goes into each text.
    const chunkSize = Math.min(Math.max(plain.length >> 1, zlib.constants.Z_MIN_CHUNK), compressChunkBytesMax);
    const isShort = plain.length < storedFormLimits.contentZstdBytesMin;
    const data = isShort
      ? zlib.deflateRawSync(plain, { chunkSize })
      : zlib.zstdCompressSync(plain, { pledgedSrcSize: plain.length, chunkSize });
    const enc = isShort ? encodings.deflate : encodings.zstd;
    if (data.length < plain.length) return { size: plain.length, enc, data };
  }
  return { size: plain.length, enc: encodings.utf8, data: plain };
}

/**
 * @param digest SHA-256 of the text, where it is known: what another text would be told by
 * @throws where the bytes are damaged
 */
export function decodeContent({ size, enc, data }: EncodedContent, digest?: Uint8Array): string {
  const plain = plainOf({ size, enc, data });
  if (plain.length !== size) throw new TypeError("a text of another length");
  if (digest !== undefined && !hash("sha256", plain, "buffer").equals(digest)) throw new TypeError("another text");
  return plain.toString();
}

function plainOf({ size, enc, data }: EncodedContent): Buffer {
  switch (enc) {
    case encodings.utf8:
      return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    case encodings.zstd:
      return zlib.zstdDecompressSync(data, { maxOutputLength: Math.max(size, 1) });
    case encodings.deflate:
      return zlib.inflateRawSync(data, {
        maxOutputLength: Math.max(size, 1),
        chunkSize: Math.min(Math.max(size, zlib.constants.Z_MIN_CHUNK), compressChunkBytesMax),
      });
    default:
      throw new TypeError("an encoding from the future");
  }
}
