import { randomUUID } from "node:crypto";
import { type CheckedCommit, type CmError, type CommitReceipt, isCmError } from "@cm/object-model";
import { commitProvisionally, type ProvisionalCommit } from "./commit-provisionally.ts";
import { documentBytes } from "./document-bytes.ts";
import { isTransient, late, neverConnected, unknown } from "./errors.ts";
import { ProvisionalReceipts } from "./provisional-receipts.ts";
import { OutgoingCommit } from "./queued-commit.ts";
import type { WriteBehindContext } from "./write-behind-context.ts";

/** Commits: by the base, or where that does not answer in time, provisionally, in a queue. */
export class Commits {
  readonly #context: WriteBehindContext;
  readonly #receipts = new ProvisionalReceipts();

  constructor(parts: WriteBehindContext) {
    this.#context = parts;
  }

  /** @throws what the base throws; `store/conflict` and `store/unavailable` of its own while it is offline */
  async commit(commit: CheckedCommit): Promise<CommitReceipt> {
    const { base, tokens, attachment, watch, deadlineMs } = this.#context;
    const provisional = this.#receipts.of(commit);
    if (provisional !== undefined) return provisional;
    const outgoing = new OutgoingCommit(commit, commit.requestId ?? randomUUID());
    if (!attachment.isAttached) return this.#queueProvisionally(outgoing);
    const sending = outgoing.send(base, tokens);
    try {
      const answered = await watch.raceDeadline(sending);
      if (answered !== undefined) return this.#written(commit, answered.answer);
    } catch (error) {
      if (!isTransient(error)) throw error;
      outgoing.sending = undefined;
      return this.#queueAfterFault(outgoing, error);
    }
    return this.#queueAfterFault(outgoing, late(deadlineMs));
  }

  /**
   * The commit is queued in spite of the fault. Where the queue refuses it while it is under way, its outcome is
   * unknown: without a basis the call waits for the base, without room the caller repeats the commit.
   */
  async #queueAfterFault(outgoing: OutgoingCommit, fault: CmError): Promise<CommitReceipt> {
    const { attachment, newest } = this.#context;
    const { commit, sending } = outgoing;
    attachment.detach(fault);
    attachment.ensureUsable();
    if (newest.basis === undefined && sending !== undefined) return this.#written(commit, await sending);
    try {
      return this.#queueProvisionally(outgoing);
    } catch (refusal) {
      const isOpen = sending !== undefined || isCmError(fault, "store/unknown-outcome");
      throw isOpen && isCmError(refusal, "store/unavailable") ? unknown() : refusal;
    }
  }

  /** @throws CmError `store/conflict`, `store/envelope-changed`, `store/unavailable` */
  #queueProvisionally(outgoing: OutgoingCommit): CommitReceipt {
    const { queue, attachment, known } = this.#context;
    const { commit } = outgoing;
    const bytes = commit.writes.reduce((sum, { document }) => sum + documentBytes(document), 0);
    queue.checkRoom(bytes);
    const { receipt, objects } = this.#provisionalCommit(commit);
    queue.add({ outgoing, provisional: receipt, bytes });
    for (const [id, object] of objects) known.wait(id, object);
    this.#receipts.keep(commit, receipt);
    attachment.changed();
    return receipt;
  }

  #provisionalCommit(commit: CheckedCommit): ProvisionalCommit {
    const { known, tokens, newest, now, attachment } = this.#context;
    if (newest.basis === undefined) throw attachment.fault ?? neverConnected();
    const nowMs = newest.after(now());
    return commitProvisionally(commit, { known: (id) => known.get(id), tokens, basis: newest.basis, nowMs });
  }

  #written(commit: CheckedCommit, receipt: CommitReceipt): CommitReceipt {
    const { known, newest } = this.#context;
    newest.written(receipt);
    const { basis, transactionTime, results } = receipt;
    for (const [place, { document }] of commit.writes.entries()) {
      const { "xt/id": id, type } = document;
      const token = results[place]?.token;
      if (token === undefined) continue;
      const stamp = { id, type, token, contentHash: document.content_hash, basis, document };
      // Which version holds now is not said by a write about another time.
      const held = { ...stamp, validTime: transactionTime, transactionTime };
      known.written(id, { token, type, held: commit.validTimeMs === undefined ? held : undefined });
    }
    return receipt;
  }
}
