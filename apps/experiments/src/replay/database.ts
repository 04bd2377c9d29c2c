import type { ObjectStore } from "@cm/object-model";

/** A database to replay into, and its file's name in the output folder. */
export interface Database {
  readonly store: ObjectStore;
  readonly file: string | undefined;
  /** Its part of a node that others use, too; undefined for a database of its own. */
  readonly namespace: string | undefined;
  /** Ends the run's use of it. */
  release(): Promise<void>;
}
