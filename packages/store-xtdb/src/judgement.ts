import { type ObjectDocument, timeline } from "@cm/object-model";
import type { Revision } from "./revision.ts";
import type { Stamp, Timeline } from "./timeline.ts";
import { sourceTagOf, type TokenFacts } from "./version-token.ts";

/** From when a write holds: a time, or that of its transaction, which is no earlier than one that was seen. */
export type Validity = { readonly fromMs: number } | { readonly notBeforeMs: number };

/** The effect of a write, compared with the object's newest one. */
export interface Judgement {
  /** The version that holds at the write's valid time says the same. */
  readonly isSame: boolean;
  /** No version holds later than this one will. */
  readonly isTop: boolean;
  /** The version that must still hold when the transaction comes, where time alone could bring another. */
  readonly pinned?: Stamp;
}

/** By the newest write alone; `undefined` where the other ones must be looked at. */
export function judgeByNewest(document: ObjectDocument, validity: Validity, newest: Revision): Judgement | undefined {
  const { facts, isMark } = newest;
  if (isMark || !facts.isTop || !holdsBefore(facts, validity)) return undefined;
  return { isSame: saysTheSame(facts, document), isTop: true };
}

/** Whether the newest write holds at the valid time of the next one. */
function holdsBefore({ validMs, atMs }: TokenFacts, validity: Validity): boolean {
  const fromMs = validMs ?? atMs;
  // One without a time of its own holds from its transaction's time, and transactions follow each other.
  if ("notBeforeMs" in validity) return fromMs === undefined || fromMs <= validity.notBeforeMs;
  return fromMs !== undefined && fromMs <= validity.fromMs;
}

/** By all writes. `nowMs` is the time to take for a transaction that is still to come. */
export function judgeByAll(
  document: ObjectDocument,
  validity: Validity,
  { stamps }: Timeline,
  nowMs: number,
): Judgement {
  const isOpen = "notBeforeMs" in validity;
  const validMs = isOpen ? Math.max(validity.notBeforeMs, nowMs) : validity.fromMs;
  const holding = timeline.holdingAt(stamps, { validMs, txId: Number.POSITIVE_INFINITY });
  const latest = stamps[0];
  const isTop = latest === undefined || latest.validMs <= (isOpen ? validity.notBeforeMs : validMs);
  const isSame = holding !== undefined && holding.erased === undefined && saysTheSame(holding.facts, document);
  // A planned version may come due between this moment and the transaction.
  return isSame && isOpen && !isTop ? { isSame, isTop, pinned: holding } : { isSame, isTop };
}

/** As `sameVersion`, on what a token keeps of a version. */
function saysTheSame({ contentHash, sourceTag }: TokenFacts, document: ObjectDocument): boolean {
  return contentHash === document.content_hash && sourceTag === sourceTagOf(document.source_hash);
}
