import { resolve } from "node:path";
import type { KnownState, StateCache } from "@cm/object-model";
import { toOrderedText } from "@cm/object-model/stored-form";
import type { Connection } from "./connection.ts";
import { checkPath, isBusy, isDamage, storeError, toStoreError } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { openCacheFile, openFresh } from "./state-cache-file.ts";

export interface StateCacheOptions {
  /** The cache's own file, made where it is missing; its folder must be there. Never that of a store. */
  readonly path: string;
  /** Entries kept; beyond them those saved longest ago go. Default `stateCacheEntriesMax`. */
  readonly entriesMax?: number;
}

type KnownRow = { source_hash: string | null; hint: string | null; absent: number };

const selectKnown = "SELECT whole(source_hash) AS source_hash, whole(hint) AS hint, absent FROM known WHERE id = ?";
const selectSaved = "SELECT coalesce(max(saved), 0) AS saved FROM known";
const putKnown = "INSERT OR REPLACE INTO known(id, saved, source_hash, hint, absent) VALUES (?, ?, ?, ?, ?)";
const countKnown = "SELECT count(*) AS entries FROM known";
const deleteOldest = "DELETE FROM known WHERE id IN (SELECT id FROM known ORDER BY saved LIMIT ?)";

/**
 * Opens a `StateCache` in a small SQLite file of its own, which several processes may use at once. From then on nothing
 * that happens to the file is an error: locked, it knows nothing for that call; damaged, it is replaced by an empty one.
 * @throws CmError `store/unavailable` where the file cannot be made, or is another program's database
 */
export function openStateCache({ path, entriesMax }: StateCacheOptions): StateCache {
  if (path === ":memory:") throw storeError("store/unavailable", "A state cache outlives its process; name a file.");
  const file = resolve(checkPath(path));
  try {
    return new SqliteStateCache(file, entriesMax ?? storeLimits.stateCacheEntriesMax);
  } catch (error) {
    throw toStoreError(error);
  }
}

class SqliteStateCache implements StateCache {
  readonly contract = "state-cache/1";
  readonly #path: string;
  readonly #entriesMax: number;
  /** Undefined while the file could not be opened, because another process held it. */
  #connection: Connection | undefined;
  #closed = false;

  constructor(path: string, entriesMax: number) {
    this.#path = path;
    this.#entriesMax = entriesMax;
    this.#connection = unlessBusy(() => openCacheFile(path));
  }

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, KnownState>> {
    return this.#attempt((connection) => connection.read(() => loadedFrom(connection, ids))) ?? new Map();
  }

  async save(states: ReadonlyMap<string, KnownState>): Promise<void> {
    const entries = [...states].filter(isBounded).slice(-this.#entriesMax);
    for (let from = 0; from < entries.length; from += storeLimits.stateCacheSaveEntriesMax) {
      const chunk = entries.slice(from, from + storeLimits.stateCacheSaveEntriesMax);
      const write = (connection: Connection) =>
        connection.write(() => saveInto(connection, { entries: chunk, entriesMax: this.#entriesMax }));
      this.#attempt(write, { again: true });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#letGo();
  }

  /** Undefined where it failed. A damaged file is replaced, and the work done `again` on the fresh one where asked. */
  #attempt<T>(work: (connection: Connection) => T, { again = false } = {}): T | undefined {
    if (this.#closed) return undefined;
    try {
      this.#connection ??= openCacheFile(this.#path);
      return work(this.#connection);
    } catch (error) {
      if (!isDamage(error)) return undefined;
    }
    this.#replace();
    return again ? this.#attempt(work) : undefined;
  }

  #replace(): void {
    this.#letGo();
    try {
      this.#connection = openFresh(this.#path);
    } catch {
      // The next call tries again.
    }
  }

  #letGo(): void {
    try {
      this.#connection?.close();
    } catch {
      // Its states are on disk or lost; both are acceptable.
    }
    this.#connection = undefined;
  }
}

function unlessBusy<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function loadedFrom(connection: Connection, ids: readonly string[]): Map<string, KnownState> {
  const known = new Map<string, KnownState>();
  // In the order of the file: each page is looked at once, which halves the time.
  for (const id of [...ids].sort()) {
    const row = connection.get<KnownRow>(selectKnown, toOrderedText(id));
    if (row !== undefined) known.set(id, stateOf(row));
  }
  return known;
}

function stateOf({ source_hash, hint, absent }: KnownRow): KnownState {
  return {
    ...(source_hash === null ? {} : { sourceHash: source_hash }),
    ...(hint === null ? {} : { hint }),
    ...(absent === 1 ? { absent: true } : {}),
  };
}

function saveInto(
  connection: Connection,
  { entries, entriesMax }: { entries: readonly (readonly [string, KnownState])[]; entriesMax: number },
): void {
  const saved = (connection.get<{ saved: number }>(selectSaved)?.saved ?? 0) + 1;
  for (const [id, { sourceHash, hint, absent }] of entries) {
    connection.run(putKnown, toOrderedText(id), saved, sourceHash ?? null, hint ?? null, absent === true ? 1 : 0);
  }
  const count = connection.get<{ entries: number }>(countKnown)?.entries ?? 0;
  if (count > entriesMax) connection.run(deleteOldest, count - entriesMax);
}

/** An entry that no source of ours makes is not kept: without it there is one look more. */
function isBounded([id, { sourceHash = "", hint = "" }]: readonly [string, KnownState]): boolean {
  return [id, sourceHash, hint].every((text) => text.length <= storeLimits.stateCacheFieldCharsMax);
}
