import type { Call, CallOptions } from "./call.ts";
import { committedSchema, envelope, type Submitted, submittedSchema } from "./envelopes.ts";
import { isXtdbError } from "./errors.ts";
import type { Operation } from "./operations.ts";
import type { Confirmed, Queued, SubmitOptions } from "./options.ts";
import { checkTxId } from "./parameters.ts";
import { type Request, type Requester, unknownOutcome } from "./requester.ts";
import { transactionText } from "./transaction-text.ts";

/** Submits transactions and finds out what became of them. */
export class Transactions {
  readonly #requester: Requester;
  #newestTxId: number | undefined;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** The newest transaction that went out from here. */
  get newestTxId(): number | undefined {
    return this.#newestTxId;
  }

  async submit(operations: readonly Operation[], options: SubmitOptions): Promise<Queued> {
    const body = transactionText(operations, options);
    return await this.#requester.within("submit-tx", options, async (call) => {
      const { txId, txTime } = await this.#submit(body, call);
      return { txId, txTime };
    });
  }

  async submitAndConfirm(operations: readonly Operation[], options: SubmitOptions): Promise<Confirmed> {
    const body = transactionText(operations, options);
    const waits = { waits: { timeoutParameter: "await-tx-timeout" } } as const;
    return await this.#requester.within("submit-tx", options, async (call) => {
      const { committed, ...queued } = await this.#submit(body, call, waits);
      try {
        return { ...queued, committed: committed ?? (await this.#committed(queued.txId, call)) };
      } catch (error) {
        if (!isXtdbError(error)) throw error;
        throw unknownOutcome("tx-committed", error.code, { ...error.data, txId: queued.txId });
      }
    });
  }

  async isCommitted(txId: number, options: CallOptions): Promise<boolean> {
    checkTxId(txId);
    return await this.#requester.within("tx-committed", options, (call) => this.#committed(txId, call));
  }

  /** @param waits asks for the outcome, too. The door of our own node waits for it, upstream's server does not. */
  async #submit(body: string, call: Call, waits?: Required<Pick<Request, "waits">>): Promise<Submitted> {
    const request = { endpoint: "submit-tx", format: "edn", body, submits: true, ...waits } as const;
    const { value, node } = await this.#requester.answerWithin(request, call);
    try {
      const submitted = envelope(submittedSchema, value, "submit-tx");
      this.#newestTxId = Math.max(this.#newestTxId ?? -1, submitted.txId);
      if (submitted.committed !== undefined) node.indexed(submitted.txId);
      return submitted;
    } catch (error) {
      throw isXtdbError(error) ? unknownOutcome("submit-tx", error.code, error.data) : error;
    }
  }

  /** Asking without waiting would be answered 500 where the node is behind. */
  async #committed(txId: number, call: Call): Promise<boolean> {
    const request = { endpoint: "tx-committed", parameters: `tx-id=${txId}`, format: "json" } as const;
    const waits = { timeoutParameter: "await-tx-timeout", txId } as const;
    return envelope(committedSchema, await this.#requester.askWithin({ ...request, waits }, call), "tx-committed");
  }
}
