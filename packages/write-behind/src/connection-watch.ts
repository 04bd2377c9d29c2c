import type { ObjectStore } from "@cm/object-model";
import { late } from "./errors.ts";
import { writeBehindLimits as limits } from "./limits.ts";
import { raceDeadline, type Wait } from "./race-deadline.ts";

/** An id that no object has: asking for it says whether the base answers. */
const probeId = "write-behind:probe";

/** Whether the base answers in time, and which of its calls hang. */
export class ConnectionWatch {
  readonly #base: ObjectStore;
  readonly #deadlineMs: number;
  readonly #wait: Wait;
  readonly #hanging = new Set<Promise<unknown>>();
  #probe: Promise<unknown> | undefined;
  #probeAttempts = 0;

  constructor(base: ObjectStore, { deadlineMs, wait }: { readonly deadlineMs: number; readonly wait: Wait }) {
    this.#base = base;
    this.#deadlineMs = deadlineMs;
    this.#wait = wait;
  }

  /** A call was late and has not answered yet: another one would only wait as well. */
  get isHanging(): boolean {
    return this.#hanging.size > 0;
  }

  /** The call's answer, undefined where it is late. @throws what the call throws */
  async raceDeadline<T>(call: Promise<T>): Promise<{ readonly answer: T } | undefined> {
    const answered = await raceDeadline(call, this.#deadlineMs, this.#wait);
    if (answered === undefined) this.#watch(call);
    return answered;
  }

  /** @throws CmError `store/unavailable` where the base does not answer in time, or what it throws */
  async probe(): Promise<void> {
    this.#probe ??= this.#send();
    if ((await raceDeadline(this.#probe, this.#deadlineMs, this.#wait)) !== undefined) {
      this.#hanging.clear();
      return;
    }
    this.#probeAttempts += 1;
    // One that never answers must not stand in the way for ever.
    if (this.#probeAttempts % limits.attemptsPerProbe === 0) this.#probe = undefined;
    throw late(this.#deadlineMs);
  }

  #send(): Promise<unknown> {
    const probe = this.#base.getMany([probeId]);
    const done = () => {
      if (this.#probe === probe) this.#probe = undefined;
    };
    probe.then(done, done);
    return probe;
  }

  #watch(call: Promise<unknown>): void {
    this.#hanging.add(call);
    const done = () => this.#hanging.delete(call);
    call.then(done, done);
  }
}
