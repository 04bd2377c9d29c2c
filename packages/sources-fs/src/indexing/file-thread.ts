import { Worker } from "node:worker_threads";
import { withDeadline } from "@cm/object-model";
import { fileLimits as limits } from "../limits.ts";
import { reasons } from "../reasons.ts";
import type { Message, Reply, ReturnedBuffers, Task } from "./messages.ts";

/** How a task ended: done, or the reason for not waiting for the rest. */
export type EndReason =
  | "done"
  | typeof reasons.timedOut
  | typeof reasons.aborted
  | typeof reasons.lost
  | typeof reasons.closed;

export interface Until {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FileThreadOptions {
  readonly script: URL;
  readonly data: unknown;
  readonly stuckMs?: number;
}

export interface ReplyListener {
  readonly onReply: (reply: Reply) => void;
  /** The thread hung at this place of the task, after its ending. */
  readonly onStuck?: (place: number) => void;
}

/** A timer with more goes off at once. */
const timerMsMax = 2 ** 31 - 1;

interface Pending {
  readonly listener: ReplyListener;
  readonly control: Int32Array;
  readonly end: (endReason: EndReason) => void;
  ended: boolean;
}

/**
 * A thread for calls on files that wait, since a dead mount may let one wait for ever: the main loop never does. It is
 * started at the first task, keeps no process alive while it has none, and is replaced when it hangs or dies.
 */
export class FileThread {
  readonly #options: FileThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #started = 0;
  #lastId = 0;
  #closed = false;

  constructor(options: FileThreadOptions) {
    this.#options = options;
  }

  /** The number of the thread that takes the next task: what one knew, the next one does not. */
  startedNow(): number {
    this.#worker ??= this.#closed ? undefined : this.#start();
    return this.#started;
  }

  /** Replies come until the ending is there, and never after it. */
  run(task: Task, listener: ReplyListener, { deadlineMs, signal }: Until): Promise<EndReason> {
    if (this.#closed) return Promise.resolve(reasons.closed);
    if (signal?.aborted) return Promise.resolve(reasons.aborted);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const control = new Int32Array(new SharedArrayBuffer(8));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const pending: Pending = { listener, control, ended: false, end };
      const timer = setTimeout(() => giveUp(reasons.timedOut), Math.min(deadlineMs, timerMsMax));
      const onAbort = () => giveUp(reasons.aborted);
      const giveUp = (endReason: EndReason) => {
        Atomics.store(control, 0, 1);
        end(endReason);
        this.#watch(id, worker);
      };
      const release = () => this.#release();
      function end(endReason: EndReason): void {
        if (pending.ended) return;
        pending.ended = true;
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        release();
        resolve(endReason);
      }
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, pending);
      worker.ref();
      worker.postMessage({ ...task, id, control });
    });
  }

  /** Ends the thread and every task. A thread that hangs is left to the system. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#drop(reasons.closed);
    if (worker === undefined) return;
    await withDeadline(worker.terminate(), limits.closeMs, () => undefined);
  }

  #start(): Worker {
    const { script, data } = this.#options;
    // Flags of this process, such as `--input-type`, are none for a file.
    const resourceLimits = { maxYoungGenerationSizeMb: limits.threadYoungMb };
    const worker = new Worker(script, { workerData: data, name: "cm-files", execArgv: [], resourceLimits });
    worker.unref();
    worker.on("message", (message: Message) => {
      this.#receive(message);
      const { pieces }: ReturnedBuffers = message;
      if (pieces.length > 0) worker.postMessage({ pieces }, pieces);
    });
    const onEnd = () => {
      if (this.#worker === worker) this.#drop(reasons.lost);
    };
    worker.on("error", onEnd);
    worker.on("exit", onEnd);
    this.#started += 1;
    return worker;
  }

  #receive({ id, reply, done }: Message): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (reply !== undefined && !pending.ended) pending.listener.onReply(reply);
    if (!done) return;
    this.#pending.delete(id);
    pending.end("done");
  }

  /** A thread that is well lays an abandoned task down at once. */
  #watch(id: number, worker: Worker): void {
    const timer = setTimeout(() => {
      const pending = this.#pending.get(id);
      if (pending === undefined || this.#worker !== worker) return;
      for (const { listener, control } of this.#pending.values()) {
        const place = Atomics.load(control, 1) - 1;
        if (place >= 0) listener.onStuck?.(place);
      }
      void this.#drop(reasons.lost)?.terminate();
    }, this.#options.stuckMs ?? limits.stuckMs);
    timer.unref();
  }

  #drop(endReason: EndReason): Worker | undefined {
    const worker = this.#worker;
    this.#worker = undefined;
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { end } of all) end(endReason);
    return worker;
  }

  #release(): void {
    const isWaiting = [...this.#pending.values()].some(({ ended }) => !ended);
    if (!isWaiting) this.#worker?.unref();
  }
}
