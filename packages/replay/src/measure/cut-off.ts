import type { RunTotals } from "../results/run-result.ts";

/** A fold is paid at once and earns itself later: of sessions that end before this call nothing can be asked. */
const callsMin = 25;

/** Follows what a session would have been billed if it had ended early, and keeps where that was dearest. */
export class CutOff {
  #calls = 0;
  #billed = 0;
  #plainBilled = 0;
  #dearest: Pick<RunTotals, "cutOffShare" | "cutOffCalls"> = {};

  /** Empty in a session that is too short. */
  get dearest(): Pick<RunTotals, "cutOffShare" | "cutOffCalls"> {
    return this.#dearest;
  }

  request(billed: number, plainBilled: number): void {
    this.#calls += 1;
    this.#billed += billed;
    this.#plainBilled += plainBilled;
    const share = this.#billed / this.#plainBilled;
    if (this.#calls < callsMin || share <= (this.#dearest.cutOffShare ?? 0)) return;
    this.#dearest = { cutOffShare: share, cutOffCalls: this.#calls };
  }
}
