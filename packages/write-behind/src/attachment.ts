import { type CmError, refusals } from "@cm/object-model";
import type { CommitQueue } from "./commit-queue.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import type { WriteBehindState } from "./contract.ts";
import { broken, isTransient } from "./errors.ts";
import { writeBehindLimits as limits } from "./limits.ts";
import { raceDeadline, type Wait } from "./race-deadline.ts";

export interface AttachmentOptions {
  readonly queue: CommitQueue;
  readonly watch: ConnectionWatch;
  readonly now: () => number;
  readonly wait: Wait;
  readonly onBroken: (error: CmError) => void;
}

/** Whether the store is attached to its base; while it is not, the loop that writes the queue and brings it back. */
export class Attachment {
  readonly #options: AttachmentOptions;
  readonly #listeners = new Set<(state: WriteBehindState) => void>();
  #outage: { readonly since: number; fault: CmError } | undefined;
  #end: CmError | undefined;
  #isBroken = false;
  #reattached = Promise.withResolvers<void>();
  #retryNow = new AbortController();

  constructor(options: AttachmentOptions) {
    this.#options = options;
  }

  get isAttached(): boolean {
    return this.#outage === undefined;
  }

  /** Why it is detached. */
  get fault(): CmError | undefined {
    return this.#outage?.fault;
  }

  get state(): WriteBehindState {
    const { length, bytes } = this.#options.queue;
    const { since, fault } = this.#outage ?? {};
    const outage = since === undefined || fault === undefined ? {} : { since, reason: fault.message, code: fault.code };
    const end = this.#isBroken ? { broken: true as const } : {};
    return { attached: this.isAttached, queuedCommits: length, queuedBytes: bytes, ...outage, ...end };
  }

  onChange(listener: (state: WriteBehindState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws CmError `store/closed`, `store/unavailable` */
  ensureUsable(): void {
    if (this.#end !== undefined) throw this.#end;
  }

  /** The base failed, or is late. */
  detach(fault: CmError): void {
    if (this.#end !== undefined) return;
    if (this.#outage !== undefined) {
      this.#outage.fault = fault;
      return;
    }
    this.#outage = { since: this.#options.now(), fault };
    this.#reattached = Promise.withResolvers();
    void this.#reconnect();
    this.changed();
  }

  changed(): void {
    for (const listener of this.#listeners) notify(() => listener(this.state));
  }

  /** Whether it is attached, after a wait of at most so long. */
  async flush(deadlineMs: number): Promise<boolean> {
    if (this.#end !== undefined || this.isAttached) return this.#end === undefined;
    this.#retryNow.abort();
    await raceDeadline(this.#reattached.promise, deadlineMs, this.#options.wait);
    return this.#end === undefined && this.isAttached;
  }

  close(): void {
    if (this.#end === undefined || this.#isBroken) this.#finish(refusals.closed());
  }

  async #reconnect(): Promise<void> {
    const { queue, watch } = this.#options;
    let pauseMs: number = limits.pauseMinMs;
    if (!queue.isUnderWay) await this.#pause(pauseMs);
    while (this.#end === undefined) {
      try {
        if (queue.length === 0) {
          await watch.probe();
          if (this.#end === undefined && queue.length === 0) return this.#attach();
          continue;
        }
        await queue.writeFirst();
        pauseMs = limits.pauseMinMs;
        this.changed();
      } catch (error) {
        if (!isTransient(error)) return this.#break(error);
        this.detach(error);
        await this.#pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, limits.pauseMaxMs);
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    this.#retryNow = new AbortController();
    const { signal } = this.#retryNow;
    const retriedNow = new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    await Promise.race([this.#options.wait(ms, signal).catch(() => undefined), retriedNow]);
  }

  #attach(): void {
    this.#outage = undefined;
    this.#reattached.resolve();
    this.changed();
  }

  #break(cause: unknown): void {
    if (this.#end !== undefined) return;
    const error = broken(cause);
    this.#isBroken = true;
    this.#finish(error);
    this.changed();
    notify(() => this.#options.onBroken(error));
  }

  #finish(end: CmError): void {
    this.#end = end;
    this.#retryNow.abort();
    this.#reattached.resolve();
  }
}

/** A listener's fault is its own; the work it heard of goes on. */
function notify(listener: () => void): void {
  try {
    listener();
  } catch {
    // A listener's error has no receiver.
  }
}
