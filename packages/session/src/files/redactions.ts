import type { Write } from "@cm/object-model";

/** Secrets replaced in a version that is written. */
export function redactionsOf(write: Write | undefined): number {
  const redactions = write?.document.redactions;
  return typeof redactions === "number" ? redactions : 0;
}
