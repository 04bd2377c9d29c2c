import { CmError } from "../errors.ts";
import type { Basis, ListedVersion, StoredVersion } from "./contract.ts";
import type { TimelineVersion } from "./memory-timeline.ts";

/** The tokens of this store: other stores refuse them, and it refuses theirs. */
export const basisOf = (transaction: number): Basis => `m${transaction}`;
export const tokenOf = ({ serial }: TimelineVersion): string => `v${serial}`;

function stamp(type: string, version: TimelineVersion) {
  return {
    id: version.id,
    type,
    token: tokenOf(version),
    contentHash: version.contentHash,
    validTime: new Date(version.validMs),
    transactionTime: new Date(version.transactionMs),
    basis: basisOf(version.txId),
  };
}

/** A version as `getMany` gives it. */
export function stored(type: string, version: TimelineVersion): StoredVersion {
  const { document, erased } = version;
  if (document !== undefined) return { ...stamp(type, version), document };
  if (erased !== undefined) return { ...stamp(type, version), erased };
  throw new CmError("store/corrupt", "A version has neither document nor erasure.");
}

/** A version as `history` and `find` list it. */
export function listed(type: string, version: TimelineVersion, documents = false): ListedVersion {
  const { document, ...rest } = stored(type, version);
  return document !== undefined && documents ? { ...rest, document } : rest;
}
