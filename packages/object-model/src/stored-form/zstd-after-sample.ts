import zlib from "node:zlib";

/** The first bytes of every zstd frame. */
const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Bits of a frame's first byte behind the magic (RFC 8878, 3.1.1.1.1). */
const isSingleSegment = 0b0010_0000;
const hasChecksum = 0b0000_0100;
/** Bytes of the dictionary's id and of the content's size, by the bits that say so. */
const idBytes = [0, 1, 2, 4];
const sizeBytes = [0, 2, 4, 8];
const checksumBytes = 4;

/** A window of 32 MiB: room for the sample and the longest payload behind it. */
const windowDescriptor = (25 - 10) << 3;

/** What a raw block's header says of it is how long it is: up to 128 KiB, and the sample has a few. */
const rawBlockHeader = (bytes: number) => [(bytes << 3) & 0xff, (bytes >> 5) & 0xff, (bytes >> 13) & 0xff];

/**
 * The bytes of a frame that was compressed with a sample of plain text as its dictionary. Node 24.0 to 24.5 and every one
 * before 22.19 ignore the option `dictionary`, so no Node is asked for it: the sample goes before the frame's own blocks
 * as a block of its own, which is what a dictionary of plain text means, and comes off the front again.
 * @param blocks the frame without its magic
 * @throws where the frame is damaged
 */
export function decompressAfterSample(blocks: Uint8Array, sample: Buffer, maxOutputLength: number): Buffer {
  const descriptor = blocks[0] ?? 0;
  const end = (descriptor & hasChecksum) === 0 ? blocks.length : blocks.length - checksumBytes;
  const frame = Buffer.concat([
    magic,
    Buffer.from([0, windowDescriptor, ...rawBlockHeader(sample.length)]),
    sample,
    blocks.subarray(headerBytes(descriptor), end),
  ]);
  const plain = zlib.zstdDecompressSync(frame, { maxOutputLength: maxOutputLength + sample.length });
  return plain.subarray(sample.length);
}

function headerBytes(descriptor: number): number {
  const isSingle = (descriptor & isSingleSegment) !== 0;
  const size = sizeBytes[descriptor >> 6] || (isSingle ? 1 : 0);
  return 1 + (isSingle ? 0 : 1) + (idBytes[descriptor & 0b11] ?? 0) + size;
}
