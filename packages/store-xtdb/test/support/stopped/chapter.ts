import type { XtdbClient } from "@cm/xtdb-client";
import type { Random } from "../random.ts";

/** The client of the node that runs now. */
export interface Running {
  readonly client: XtdbClient;
}

export interface Drawn {
  readonly random: Random;
  /** The line that repeats the run. */
  readonly replay: string;
}

/**
 * What is written to a node before its folder is stopped. @returns what then has to hold on a node that was started again, in
 * whatever way the folder came there
 */
export type Chapter = (first: Running, drawn: Drawn) => Promise<(second: Running) => Promise<void>>;
