import { readSync } from "node:fs";
import { storeLimits } from "./limits.ts";

// https://sqlite.org/fileformat2.html#the_write_ahead_log
const headerBytes = 32;
const magic = 0x377f0682;
const formatVersion = 3_007_000;
const frameHeaderBytes = 24;
/** Ours alone make a store's file, with pages of SQLite's default size. */
const pageBytes = 4_096;
const frameBytes = frameHeaderBytes + pageBytes;

/** The running sum of a log: each frame goes on with that of the frame before, and stores its own. */
export type LogSum = readonly [number, number];

export interface LogHeader {
  readonly bytes: Buffer;
  /** Whether it is as it was written. */
  readonly isWhole: boolean;
  /** What all frames have that were written since the log was begun anew. */
  readonly salts: bigint;
  readonly sum: LogSum;
  /** The order of the bytes in the words that are summed. */
  readonly isLittle: boolean;
}

/** A page, and what is said of it. */
export interface LogFrame {
  readonly bytes: Buffer;
  readonly isCommit: boolean;
  readonly salts: bigint;
  readonly storedSum: LogSum;
  /** What it sums to behind a frame with this sum. */
  sumBehind(before: LogSum): LogSum;
}

/** Undefined for a log without one. */
export function headerOf(log: number): LogHeader | undefined {
  const view = viewOf(log, 0, headerBytes);
  if (view.byteLength < headerBytes) return undefined;
  const isLittle = (view.getUint32(0) & 1) === 0;
  const sum = sumAt(view, 24);
  const isWhole = view.getUint32(0) >>> 1 === magic >>> 1 && isSameSum(sumOver(view, 0, 24, [0, 0], isLittle), sum);
  return { bytes: Buffer.from(view.buffer), isWhole, salts: view.getBigUint64(16), sum, isLittle };
}

/** The whole frames of a log's file, in their order, those of before it was begun anew as well. */
export function* framesOf(log: number, { isLittle }: Pick<LogHeader, "isLittle">): Generator<LogFrame> {
  const chunkBytes = storeLimits.logFramesAtOnce * frameBytes;
  for (let position = headerBytes; ; position += chunkBytes) {
    const chunk = viewOf(log, position, chunkBytes);
    if (chunk.byteLength < frameBytes) return;
    for (let at = 0; at + frameBytes <= chunk.byteLength; at += frameBytes) {
      yield {
        bytes: Buffer.from(chunk.buffer, at, frameBytes),
        isCommit: chunk.getUint32(at + 4) !== 0,
        salts: chunk.getBigUint64(at + 8),
        storedSum: sumAt(chunk, at + 16),
        sumBehind: (before) =>
          sumOver(chunk, at + frameHeaderBytes, pageBytes, sumOver(chunk, at, 8, before, isLittle), isLittle),
      };
    }
  }
}

/** The header of a log whose frames have these salts, as SQLite writes it. */
export function madeHeader(
  { bytes, isLittle }: LogHeader,
  salts: bigint,
): { readonly bytes: Buffer; readonly sum: LogSum } {
  const made = Buffer.from(bytes);
  made.writeUInt32BE(isLittle ? magic : magic + 1, 0);
  made.writeUInt32BE(formatVersion, 4);
  made.writeUInt32BE(pageBytes, 8);
  made.writeBigUInt64BE(salts, 16);
  const sum = sumOver(new DataView(made.buffer, made.byteOffset), 0, 24, [0, 0], isLittle);
  return { bytes: withSum(made, 24, sum), sum };
}

/** A frame that goes on from another one of such a log. */
export function madeFrame(
  frame: LogFrame,
  salts: bigint,
  before: LogSum,
): { readonly bytes: Buffer; readonly sum: LogSum } {
  const made = Buffer.from(frame.bytes);
  made.writeBigUInt64BE(salts, 8);
  const sum = frame.sumBehind(before);
  return { bytes: withSum(made, 16, sum), sum };
}

function withSum(bytes: Buffer, at: number, [a, b]: LogSum): Buffer {
  bytes.writeInt32BE(a, at);
  bytes.writeInt32BE(b, at + 4);
  return bytes;
}

export const isSameSum = ([a, b]: LogSum, [c, d]: LogSum): boolean => a === c && b === d;

function viewOf(file: number, position: number, length: number): DataView {
  const bytes = new Uint8Array(length);
  return new DataView(bytes.buffer, 0, readSync(file, bytes, 0, length, position));
}

const sumAt = (view: DataView, at: number): LogSum => [view.getInt32(at), view.getInt32(at + 4)];

function sumOver(view: DataView, from: number, length: number, [first, second]: LogSum, isLittle: boolean): LogSum {
  let [a, b] = [first, second];
  for (let at = from; at < from + length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) | 0;
    b = (b + view.getUint32(at + 4, isLittle) + a) | 0;
  }
  return [a, b];
}
