import type { Basis, StoredVersion } from "@cm/object-model";

/** The newest basis that the base ever gave, by the time of its transaction; of one millisecond the one given last. */
export class NewestBasis {
  #basis: Basis | undefined;
  #timeMs = Number.NEGATIVE_INFINITY;
  #promisedMs = Number.NEGATIVE_INFINITY;

  get basis(): Basis | undefined {
    return this.#basis;
  }

  /** Transaction times never run backwards, also where the clocks of client and base differ. */
  after(nowMs: number): number {
    this.#promisedMs = Math.max(Math.trunc(nowMs), this.#timeMs, this.#promisedMs);
    return this.#promisedMs;
  }

  learn({ basis, transactionTime }: Pick<StoredVersion, "basis" | "transactionTime">): void {
    if (transactionTime.getTime() < this.#timeMs) return;
    this.#basis = basis;
    this.#timeMs = transactionTime.getTime();
  }
}
