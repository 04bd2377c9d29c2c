import { timeline } from "@cm/object-model";
import type { Database } from "./database.ts";

/** Stores with a clock of their own commit one after the other, so that times follow the order of transactions. */
export const clockLock = "\0clock";

/** The store's own time, which never runs backwards; undefined where the database's counts. */
export function timeNow({ now, memory }: Database): number | undefined {
  return now === undefined ? undefined : timeline.nextTransactionMs(memory.newest.timeMs, now);
}
