import type { BigIntStats } from "node:fs";
import { fileLimits as limits } from "../limits.ts";

/** The facts that distinguish two states of a file without reading it. */
export interface StatFacts {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  /** Changes with every write and cannot be set back, as `utimes` sets back the other. */
  readonly ctimeNs: bigint;
  /** It changed so shortly before the scan that a later change may look the same: hash it at the next scan, too. */
  readonly racy: boolean;
}

/** `scanStartMs`: when the scan began. */
export function factsOf(stat: BigIntStats, scanStartMs: number): StatFacts {
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  const calmBefore = BigInt(Math.floor(scanStartMs) - limits.racyMs) * 1_000_000n;
  const racy = mtimeNs >= calmBefore || ctimeNs >= calmBefore;
  return { dev, ino, size, mtimeNs, ctimeNs, racy };
}

export function sameFacts(a: Omit<StatFacts, "racy">, b: Omit<StatFacts, "racy">): boolean {
  return a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev;
}

/** The facts as the text of a `KnownState`. */
export function hintOf({ dev, ino, size, mtimeNs, ctimeNs, racy }: StatFacts): string {
  return `stat/1 ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs} ${racy ? "racy" : "calm"}`;
}

const hint = /^stat\/1 (\d+) (\d+) (\d+) (-?\d+) (-?\d+) (racy|calm)$/;

/** Undefined for a text that is none of ours. */
export function parseHint(text: string): StatFacts | undefined {
  if (text.length > limits.hintCharsMax) return undefined;
  const [, dev, ino, size, mtimeNs, ctimeNs, mark] = hint.exec(text) ?? [];
  if (dev === undefined || ino === undefined || size === undefined) return undefined;
  if (mtimeNs === undefined || ctimeNs === undefined) return undefined;
  return {
    dev: BigInt(dev),
    ino: BigInt(ino),
    size: BigInt(size),
    mtimeNs: BigInt(mtimeNs),
    ctimeNs: BigInt(ctimeNs),
    racy: mark === "racy",
  };
}

/** The source hash of a file that is too large to be hashed: its attributes, so that it is none of its bytes. */
export function attributesHash({ ino, size, mtimeNs, ctimeNs }: StatFacts): string {
  return `stat:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
