import {
  type CheckedCommit,
  type CommitOptions,
  type CommitReceipt,
  defined,
  type ObjectStore,
  type Write,
} from "@cm/object-model";
import type { ProvisionalTokens } from "./provisional-tokens.ts";

/** A commit as it is sent, and sent again: always under one request id, so that the base makes it once. */
export class OutgoingCommit {
  readonly commit: CheckedCommit;
  readonly requestId: string;
  /** Without those that need not be written any more. */
  writes: readonly Write[];
  /** Under way: the answer of the last time it was sent. */
  sending: Promise<CommitReceipt> | undefined;

  constructor(commit: CheckedCommit, requestId: string) {
    this.commit = commit;
    this.requestId = requestId;
    this.writes = commit.writes;
  }

  /** An empty commit is one, too. */
  get isLeft(): boolean {
    return this.writes.length > 0 || this.commit.writes.length === 0;
  }

  send(base: ObjectStore, tokens: ProvisionalTokens): Promise<CommitReceipt> {
    const { validTimeMs } = this.commit;
    const options: CommitOptions = {
      requestId: this.requestId,
      ...defined({ validTime: validTimeMs === undefined ? undefined : new Date(validTimeMs) }),
    };
    const sending = base.commit(
      this.writes.map((write) => tokens.forBase(write)),
      options,
    );
    // A later await sees its failure.
    sending.catch(() => undefined);
    this.sending = sending;
    return sending;
  }
}

/** A provisional commit that is not written yet. */
export interface QueuedCommit {
  readonly outgoing: OutgoingCommit;
  readonly provisional: CommitReceipt;
  readonly bytes: number;
}
