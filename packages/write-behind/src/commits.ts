import { randomUUID } from "node:crypto";
import { type CheckedCommit, type CmError, type CommitReceipt, isCmError } from "@cm/object-model";
import { documentBytes } from "./document-bytes.ts";
import { late, mayPass, neverReached, unknown } from "./errors.ts";
import type { Parts } from "./parts.ts";
import { type PromisedCommit, promiseCommit } from "./promise-commit.ts";
import { PromisedReceipts } from "./promised-receipts.ts";
import { OutgoingCommit } from "./queued-commit.ts";

/** Commits: by the base, or where that does not answer in time, promised and queued. */
export class Commits {
  readonly #parts: Parts;
  readonly #receipts = new PromisedReceipts();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws what the base throws; `store/conflict` and `store/unavailable` of its own while it is away */
  async commit(commit: CheckedCommit): Promise<CommitReceipt> {
    const { base, tokens, attachment, watch, deadlineMs } = this.#parts;
    const promised = this.#receipts.of(commit);
    if (promised !== undefined) return promised;
    const outgoing = new OutgoingCommit(commit, commit.requestId ?? randomUUID());
    if (!attachment.isAttached) return this.#promise(outgoing);
    const sending = outgoing.send(base, tokens);
    try {
      const answered = await watch.inTime(sending);
      if (answered !== undefined) return this.#written(commit, answered.answer);
    } catch (error) {
      if (!mayPass(error)) throw error;
      outgoing.sending = undefined;
      return this.#promiseInstead(outgoing, error);
    }
    return this.#promiseInstead(outgoing, late(deadlineMs));
  }

  /**
   * The fault is answered with a promise. Where none can be given while the commit is under way, it is open what becomes
   * of it: without a basis the base is waited for, without room the caller has to repeat it.
   */
  async #promiseInstead(outgoing: OutgoingCommit, fault: CmError): Promise<CommitReceipt> {
    const { attachment, newest } = this.#parts;
    const { commit, sending } = outgoing;
    attachment.detach(fault);
    attachment.ensureUsable();
    if (newest.basis === undefined && sending !== undefined) return this.#written(commit, await sending);
    try {
      return this.#promise(outgoing);
    } catch (refusal) {
      const isOpen = sending !== undefined || isCmError(fault, "store/unknown-outcome");
      throw isOpen && isCmError(refusal, "store/unavailable") ? unknown() : refusal;
    }
  }

  /** @throws CmError `store/conflict`, `store/envelope-changed`, `store/unavailable` */
  #promise(outgoing: OutgoingCommit): CommitReceipt {
    const { queue, attachment, known } = this.#parts;
    const { commit } = outgoing;
    const bytes = commit.writes.reduce((sum, { document }) => sum + documentBytes(document), 0);
    queue.checkRoom(bytes);
    const { receipt, objects } = this.#promised(commit);
    queue.add({ outgoing, promised: receipt, bytes });
    for (const [id, object] of objects) known.wait(id, object);
    this.#receipts.keep(commit, receipt);
    attachment.changed();
    return receipt;
  }

  #promised(commit: CheckedCommit): PromisedCommit {
    const { known, tokens, newest, now, attachment } = this.#parts;
    if (newest.basis === undefined) throw attachment.fault ?? neverReached();
    const nowMs = newest.after(now());
    return promiseCommit(commit, { known: (id) => known.get(id), tokens, basis: newest.basis, nowMs });
  }

  #written(commit: CheckedCommit, receipt: CommitReceipt): CommitReceipt {
    const { known, newest } = this.#parts;
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
