import { type CheckedCommit, type CommitReceipt, LruCache, refusals } from "@cm/object-model";
import { writeBehindLimits as limits } from "./limits.ts";

interface Promised {
  readonly fingerprint: string;
  readonly receipt: CommitReceipt;
}

/** Receipts that were promised under a request id of the caller's: who repeats the request gets the same again. */
export class PromisedReceipts {
  readonly #byRequest = new LruCache<Promised>({ weightMax: limits.receiptsMax, keptShare: limits.keptShare });

  /** @throws CmError `store/request-reused` */
  of({ requestId, fingerprint }: CheckedCommit): CommitReceipt | undefined {
    const earlier = requestId === undefined ? undefined : this.#byRequest.get(requestId);
    if (earlier === undefined || earlier.fingerprint === fingerprint) return earlier?.receipt;
    throw refusals.requestReused();
  }

  keep({ requestId, fingerprint }: CheckedCommit, receipt: CommitReceipt): void {
    if (requestId !== undefined) this.#byRequest.set(requestId, { fingerprint, receipt });
  }
}
