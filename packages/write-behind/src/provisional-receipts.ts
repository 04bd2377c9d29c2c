import { type CheckedCommit, type CommitReceipt, LruCache, refusals } from "@cm/object-model";
import { writeBehindLimits as limits } from "./limits.ts";

interface ProvisionalReceipt {
  readonly fingerprint: string;
  readonly receipt: CommitReceipt;
}

/** Provisional receipts under a request id of the caller's: a repeated request gets the same receipt. */
export class ProvisionalReceipts {
  readonly #byRequest = new LruCache<ProvisionalReceipt>({
    weightMax: limits.receiptsMax,
    keptShare: limits.keptShare,
  });

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
