import { isCmError, type SetChanges } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { Look } from "./other-writers.ts";
import type { StepContext } from "./plan-step.ts";

/** One step's race with other writers of the session: when to try, when to wait, and when to ask for the right of way. */
export class Race {
  readonly #context: StepContext;
  readonly #changesBefore: SetChanges;
  readonly #startedAtMs: number;
  readonly #began = performance.now();
  #attemptBegan = this.#began;
  #losses = 0;

  /** @param nowMs the session's clock, from which the race counts on */
  constructor(context: StepContext, changesBefore: SetChanges, nowMs: number) {
    this.#context = context;
    this.#changesBefore = changesBefore;
    this.#startedAtMs = nowMs;
  }

  /** What others did, where some were here lately: who writes on what it knows would only lose. */
  async lookFirst(): Promise<Look | undefined> {
    return this.#context.others.contention.isNear ? this.#lookAfterPause() : undefined;
  }

  /** Another one was faster: pauses, and looks again. */
  async lost(): Promise<Look> {
    this.#losses += 1;
    this.#context.others.contention.lost(performance.now() - this.#attemptBegan);
    if (this.#losses % limits.claimAttempts === 0) await this.#claim();
    return this.#lookAfterPause();
  }

  won(): void {
    this.#context.others.contention.won();
  }

  async #lookAfterPause(): Promise<Look> {
    const { pause, lease, others } = this.#context;
    // The others wait for whoever claimed the step.
    if (!lease.isClaimed) await pause(others.contention.rangeMs);
    let look = await this.#look();
    for (let looks = 1; lease.claimedByOther(this.#nowMs()) && looks < limits.claimLooksMax; looks += 1) {
      await pause(limits.claimPauseMs);
      look = await this.#look();
    }
    return look;
  }

  async #look(): Promise<Look> {
    const { store, state, others, lease } = this.#context;
    this.#attemptBegan = performance.now();
    const look = await others.readMerge(store, state, this.#changesBefore);
    lease.learn(look.lease);
    return look;
  }

  /** One that must merge much needs longer than others leave between two steps: it would fall ever further behind. */
  async #claim(): Promise<void> {
    const { store, lease } = this.#context;
    if (lease.claimedByOther(this.#nowMs())) return;
    const write = lease.claim(this.#nowMs());
    try {
      await store.commit([write]);
    } catch (error) {
      // It was a request, and the next attempt may succeed without.
      if (!isCmError(error)) throw error;
    }
  }

  #nowMs(): number {
    return Math.floor(this.#startedAtMs + performance.now() - this.#began);
  }
}
