import {
  type Basis,
  chainHashOf,
  firstWrite,
  isDocumentOf,
  type ObjectStore,
  type StoredVersion,
} from "@cm/object-model";

/** A step as it was written, whatever was erased of it since. */
export interface WrittenStep {
  /** What the chain is over. */
  readonly contentHash: string;
  /** The transaction that wrote it. */
  readonly basis: Basis;
  readonly transactionTime: Date;
}

/**
 * When a step was written, and with which hash. One that stands in the place of another names that one's hash and was
 * written at its time; where a replacement was erased as a whole, the stamp of the first version is left to tell.
 */
export async function asWritten(store: ObjectStore, version: StoredVersion): Promise<WrittenStep> {
  const { document } = version;
  const isStep = document !== undefined && isDocumentOf(document, "step");
  if (document !== undefined && (!isStep || document.replaces === undefined)) return version;
  const first = (await firstWrite(store, version.id)) ?? version;
  return isStep ? { ...timesOf(first), contentHash: chainHashOf(document) } : first;
}

const timesOf = ({ basis, transactionTime }: Pick<WrittenStep, "basis" | "transactionTime">) => ({
  basis,
  transactionTime,
});
