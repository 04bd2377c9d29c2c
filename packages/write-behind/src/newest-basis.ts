import type { Basis, StoredVersion } from "@cm/object-model";

type Stamp = Pick<StoredVersion, "basis" | "transactionTime">;

/** The newest basis that the base ever gave, by the time of its transaction. */
export class NewestBasis {
  #basis: Basis | undefined;
  #timeMs = Number.NEGATIVE_INFINITY;
  #provisionalMs = Number.NEGATIVE_INFINITY;

  get basis(): Basis | undefined {
    return this.#basis;
  }

  /** Transaction times never run backwards, also where the clocks of client and base differ. */
  after(nowMs: number): number {
    this.#provisionalMs = Math.max(Math.trunc(nowMs), this.#timeMs, this.#provisionalMs);
    return this.#provisionalMs;
  }

  /** A write's answer. */
  written({ basis, transactionTime }: Stamp): void {
    if (transactionTime.getTime() < this.#timeMs) return;
    this.#basis = basis;
    this.#timeMs = transactionTime.getTime();
  }

  /** A read may be of any time: within the same millisecond, a write's answer is newer. */
  read(stamp: Stamp): void {
    if (stamp.transactionTime.getTime() > this.#timeMs) this.written(stamp);
  }
}
