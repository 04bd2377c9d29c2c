import type { Worker } from "node:worker_threads";
import { withDeadline } from "@cm/object-model";
import { storeLimits } from "../limits.ts";
import { closed, ended, errorOf, lost, notPlain } from "./faults.ts";
import type { JobName, Jobs, Reply } from "./messages.ts";

interface Pending {
  readonly job: JobName;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface StoreThreadOptions {
  readonly worker: Worker;
  /** The clock to be sent along, where it is not the machine's. */
  readonly now?: (() => number) | undefined;
}

/**
 * A thread that runs jobs in the order of their requests. It keeps a process alive only while a caller waits for an
 * answer. A dead thread is not restarted, because its state of the file is lost.
 */
export class StoreThread {
  readonly #worker: Worker;
  readonly #now: (() => number) | undefined;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #state: "running" | "closed" | "dead" = "running";

  constructor({ worker, now }: StoreThreadOptions) {
    this.#now = now;
    this.#worker = worker;
    this.#worker.on("message", (reply: Reply) => this.#receive(reply));
    for (const event of ["error", "messageerror", "exit"]) this.#worker.on(event, () => this.#die());
  }

  /** @throws CmError as the job does; `store/unavailable` or `store/unknown-outcome` where the thread ended under it */
  async ask<Name extends JobName>(job: Name, given: Jobs[Name]["given"]): Promise<Jobs[Name]["answer"]> {
    this.ensureOpen();
    return await this.#send(job, given);
  }

  /** Does what was asked for before, closes the file and ends the thread. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#state !== "running") {
      this.#state = "closed";
      return;
    }
    const done = this.#send("close", undefined);
    this.#state = "closed";
    try {
      await done;
    } finally {
      await this.end();
    }
  }

  /** Ends the thread at once, whatever it does. */
  async end(): Promise<void> {
    await withDeadline(this.#worker.terminate(), storeLimits.threadEndMs, () => undefined);
  }

  /** @throws CmError `store/closed`, `store/unavailable` */
  ensureOpen(): void {
    if (this.#state === "closed") throw closed();
    if (this.#state === "dead") throw ended();
  }

  #send<Name extends JobName>(job: Name, given: Jobs[Name]["given"]): Promise<Jobs[Name]["answer"]> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    try {
      this.#worker.postMessage({ id, job, given, nowMs: this.#now?.() });
    } catch {
      throw notPlain();
    }
    this.#pending.set(id, { job, resolve, reject });
    this.#worker.ref();
    // The thread runs this package's own code, so the answer is the job's.
    return promise as Promise<Jobs[Name]["answer"]>;
  }

  #receive(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ("fault" in reply) pending?.reject(errorOf(reply.fault));
    else pending?.resolve(reply.answer);
  }

  #die(): void {
    if (this.#state === "running") this.#state = "dead";
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { job, reject } of all) reject(lost(job));
    void this.#worker.terminate();
  }
}
