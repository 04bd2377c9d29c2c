import type { CaseOptions } from "./case/time-limit.ts";

/** One law of a contract as data: any runner can execute it, and a known gap can name it. */
export interface ConformanceCase<Factory> {
  /** Stable for ever; an id that was dropped is not given again. */
  readonly id: string;
  /** Where the law stands. */
  readonly clause: string;
  /** A sentence about behaviour. */
  readonly title: string;
  /**
   * Rejects with an `AssertionError` that names the last call where the law does not hold or does not end in time, and
   * with a `TypeError` where the factory gives no subject of this contract at all.
   */
  run(open: Factory, options?: CaseOptions): Promise<void>;
}

/** All cases of one contract. */
export interface ConformanceSuite<Factory> {
  /** The contract's version literal. */
  readonly contract: string;
  readonly cases: readonly ConformanceCase<Factory>[];
}
