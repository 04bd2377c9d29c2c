import type { BucketPlace } from "../client/s3-wire.ts";
import { lookAround, type RoundOptions } from "./bucket-round.ts";
import type { Followed } from "./followed.ts";
import { pauseOf } from "./pace.ts";
import type { Timers } from "./timers.ts";

export interface PollerOptions extends RoundOptions {
  readonly pollMs: number;
  readonly timers: Timers;
  readonly random: () => number;
}

/** Looks at the followed objects of one bucket, again and again: one look at a time, each bucket at its own pace. */
export class BucketPoller {
  readonly #place: BucketPlace;
  readonly #options: PollerOptions;
  readonly #members = new Set<Followed>();
  #last: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  #timer: unknown;
  #failures = 0;
  #heads = 0;

  constructor(place: BucketPlace, options: PollerOptions) {
    this.#place = place;
    this.#options = options;
  }

  /** Resolves when they have been looked at, so that what changes from now on is seen. */
  async follow(added: readonly Followed[]): Promise<void> {
    for (const followed of added) this.#members.add(followed);
    await this.#queue(async () => {
      await this.#look(added);
    });
  }

  /** A look at everything that begins after this call; calls that wait for one share it. */
  lookNow(): Promise<void> {
    this.#waiting ??= this.#queue(async () => {
      this.#waiting = undefined;
      const { failed, heads } = await this.#look([...this.#members]);
      this.#failures = failed ? this.#failures + 1 : 0;
      this.#heads = heads;
    });
    return this.#waiting;
  }

  close(): void {
    this.#options.timers.clear(this.#timer);
  }

  #look(members: readonly Followed[]) {
    return lookAround(this.#place, members, this.#options);
  }

  /** One after the other; after each one the next look is due a whole pause later. */
  #queue(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(async () => {
      this.#options.timers.clear(this.#timer);
      if (this.#options.life.reason !== undefined) return;
      await work();
      this.#schedule();
    });
    return this.#last;
  }

  #schedule(): void {
    const { life, timers, pollMs, random } = this.#options;
    if (life.reason !== undefined) return;
    const pause = pauseOf({ pollMs, heads: this.#heads, failures: this.#failures, chance: random() });
    timers.clear(this.#timer);
    this.#timer = timers.set(() => void this.lookNow(), pause);
  }
}
