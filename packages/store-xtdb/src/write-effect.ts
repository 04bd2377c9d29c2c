import { type ObjectDocument, timeline } from "@cm/object-model";
import type { Revision } from "./revision.ts";
import type { Stamp, Timeline } from "./timeline.ts";
import { sourceTagOf, type TokenFacts } from "./version-token.ts";

/** The start of a write: a valid time, or the time of its transaction, which is no earlier than one seen before. */
export type Validity = { readonly fromMs: number } | { readonly notBeforeMs: number };

/** The effect of a write, compared with the object's newest one. */
export interface WriteEffect {
  /** The version that holds at the write's valid time says the same. */
  readonly isUnchanged: boolean;
  /** No version holds later than this one will. */
  readonly isLatest: boolean;
  /** The version that must still hold when the transaction comes, where time alone could bring another. */
  readonly mustHold?: Stamp;
}

/** By the newest write alone; `undefined` where the earlier writes matter. */
export function effectByNewest(
  document: ObjectDocument,
  validity: Validity,
  newest: Revision,
): WriteEffect | undefined {
  const { facts, isErasureMark } = newest;
  if (isErasureMark || !facts.isLatest || !holdsBefore(facts, validity)) return undefined;
  return { isUnchanged: isEqualTo(facts, document), isLatest: true };
}

/** Whether the newest write holds at the valid time of the next one. */
function holdsBefore({ validMs, atMs }: TokenFacts, validity: Validity): boolean {
  const fromMs = validMs ?? atMs;
  // One without a time of its own holds from its transaction's time, and transactions follow each other.
  if ("notBeforeMs" in validity) return fromMs === undefined || fromMs <= validity.notBeforeMs;
  return fromMs !== undefined && fromMs <= validity.fromMs;
}

/** By all writes. `nowMs` is the time to take for a transaction that is still to come. */
export function effectByAll(
  document: ObjectDocument,
  validity: Validity,
  { stamps }: Timeline,
  nowMs: number,
): WriteEffect {
  const isOpen = "notBeforeMs" in validity;
  const validMs = isOpen ? Math.max(validity.notBeforeMs, nowMs) : validity.fromMs;
  const holding = timeline.holdingAt(stamps, { validMs, txId: Number.POSITIVE_INFINITY });
  const latest = stamps[0];
  const isLatest = latest === undefined || latest.validMs <= (isOpen ? validity.notBeforeMs : validMs);
  const isUnchanged = holding !== undefined && holding.erased === undefined && isEqualTo(holding.facts, document);
  // A planned version may come due between this moment and the transaction.
  return isUnchanged && isOpen && !isLatest ? { isUnchanged, isLatest, mustHold: holding } : { isUnchanged, isLatest };
}

/** As `sameVersion`, on what a token keeps of a version. */
function isEqualTo({ contentHash, sourceTag }: TokenFacts, document: ObjectDocument): boolean {
  return contentHash === document.content_hash && sourceTag === sourceTagOf(document.source_hash);
}
