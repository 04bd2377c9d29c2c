import zlib from "node:zlib";
import type { ObjectDocument } from "../documents/document.ts";
import { limits } from "../limits.ts";
import { storedFormLimits } from "./limits.ts";
import { packJson, unpackJson } from "./packed-json.ts";
import { payloadSample1 } from "./payload-sample.ts";
import { decompressAfterSample } from "./zstd-after-sample.ts";

/** How a payload is held. The meaning of a number never changes; a better way gets the next one. */
const encodings = { packed: 0, zstdWithSample1: 1, deflateWithSample1: 2 } as const;

/** Room for what most payloads are, so that none is unpacked into 16 KB. */
const inflateChunkBytesMax = 64 * 1024;

export interface EncodedPayload {
  readonly enc: number;
  readonly data: Uint8Array;
}

export type Payload = Readonly<Record<string, unknown>>;

/** The mutable fields but `content_hash`, in their order, with null in the place of the text. */
export function encodePayload(document: ObjectDocument, session: string | undefined): EncodedPayload {
  const {
    "xt/id": _id,
    type: _type,
    source: _source,
    identity_hash: _identity,
    content_hash: _hash,
    ...fields
  } = document;
  const packed = packJson(JSON.stringify({ ...fields, content: null }), session);
  if (packed.length >= storedFormLimits.payloadCompressBytesMin) {
    // As small as with zstd, and read in a third of the time: zstd's state is large, and made anew for each payload.
    const chunkSize = Math.max(packed.length, zlib.constants.Z_MIN_CHUNK);
    const data = zlib.deflateRawSync(packed, { dictionary: payloadSample1, chunkSize });
    if (data.length < packed.length) return { enc: encodings.deflateWithSample1, data };
  }
  return { enc: encodings.packed, data: packed };
}

/** @throws where the bytes are damaged; the error may quote them */
export function decodePayload({ enc, data }: EncodedPayload, session: string | undefined): Payload {
  const value: unknown = JSON.parse(unpackJson(packedOf(enc, data), session));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  throw new TypeError("not a payload");
}

function packedOf(enc: number, data: Uint8Array): Buffer {
  switch (enc) {
    case encodings.packed:
      return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    case encodings.zstdWithSample1:
      return decompressAfterSample(data, payloadSample1, limits.payloadBytesMax + storedFormLimits.payloadSlackBytes);
    case encodings.deflateWithSample1:
      return zlib.inflateRawSync(data, {
        dictionary: payloadSample1,
        maxOutputLength: limits.payloadBytesMax + storedFormLimits.payloadSlackBytes,
        chunkSize: Math.min(Math.max(4 * data.length, zlib.constants.Z_MIN_CHUNK), inflateChunkBytesMax),
      });
    default:
      throw new TypeError("an encoding from the future");
  }
}
