import { type DocumentTypes, LruCache } from "@cm/object-model";
import type { XtdbClient } from "@cm/xtdb-client";
import type { Tx } from "./basis.ts";
import { IdLocks } from "./id-locks.ts";
import { KnownRevisions } from "./known-revisions.ts";
import { KnownTexts } from "./known-texts.ts";
import { KnownVersions } from "./known-versions.ts";
import { storeLimits } from "./limits.ts";
import type { Names } from "./names.ts";

/** The shared parts of all operations of one store. */
export interface Database {
  readonly client: XtdbClient;
  readonly names: Names;
  readonly types: DocumentTypes;
  /** A clock in place of the database's: for tests. */
  readonly now: (() => number) | undefined;
  readonly memory: Memory;
  readonly locks: IdLocks;
}

/**
 * The revisions that the store has seen. They are never trusted: the transaction of a commit matches each one that it
 * uses.
 */
export interface Memory {
  /** The newest transaction that this store wrote or read at. */
  newest: Tx;
  /** Objects by id. */
  readonly revisions: KnownRevisions;
  readonly texts: KnownTexts;
  /** Transactions by the id of the commit's document. */
  readonly transactions: LruCache<Tx>;
  /** Versions of objects that were read. */
  readonly versions: KnownVersions;
  /** Whether objects that were never seen are taken for new ones. */
  assumesNew: boolean;
  /** Whether the node is thought to allow the query that reads current versions at once. */
  readsNewest: boolean;
  /** Whether every object is known to stand in the order that `find` ranges over. */
  isOrdered: boolean;
}

export function createDatabase(parts: Pick<Database, "client" | "names" | "types" | "now">): Database {
  const memory: Memory = {
    newest: { txId: undefined, timeMs: Number.NEGATIVE_INFINITY },
    revisions: new KnownRevisions(parts.names),
    texts: new KnownTexts(),
    transactions: new LruCache({ weightMax: storeLimits.transactionsKnownMax }),
    versions: new KnownVersions(),
    assumesNew: true,
    readsNewest: true,
    isOrdered: false,
  };
  return { ...parts, memory, locks: new IdLocks() };
}

/** Reads and times never fall behind what was seen. */
export function observeTransaction({ memory }: Database, tx: Tx): void {
  const { newest } = memory;
  memory.newest = {
    txId: tx.txId === undefined ? newest.txId : Math.max(tx.txId, newest.txId ?? -1),
    timeMs: Math.max(tx.timeMs, newest.timeMs),
  };
}
