import {
  type AsOf,
  type Basis,
  type CommitOptions,
  type CommitReceipt,
  checkCommit,
  checkFind,
  checkIds,
  type DocumentTypes,
  defined,
  type EraseReceipt,
  type Filter,
  type FindOptions,
  type FindPage,
  type HistoryPage,
  type ListedVersion,
  type Page,
  type ReadOptions,
  type StateCache,
  type StoreCheck,
  type StoredVersion,
  type VersionName,
  type Write,
} from "@cm/object-model";
import { deepFreeze } from "../deep-freeze.ts";
import type { SqliteObjectStore } from "../open-store.ts";
import { unpackedLater } from "../packed-versions.ts";
import type { StateCacheOptions } from "../state-cache.ts";
import type { StoreThread } from "./store-thread.ts";
import { ThreadedStateCache } from "./threaded-state-cache.ts";

/** A `SqliteObjectStore` whose file is used by a thread of its own: no call blocks the caller's loop. */
export interface ThreadedSqliteStore extends SqliteObjectStore {
  /**
   * Opens a state cache in the same thread; it ends with the store.
   * @throws CmError as `openStateCache` does
   */
  openStateCache(options: StateCacheOptions): Promise<StateCache>;
}

/** The contract's calls as jobs of the thread. Documents are checked here, where they were sealed. */
export class ThreadedStore implements ThreadedSqliteStore {
  readonly contract = "object-store/1";
  readonly path: string;
  readonly #thread: StoreThread;
  readonly #types: DocumentTypes;
  #caches = 0;

  constructor(thread: StoreThread, { path, types }: { readonly path: string; readonly types: DocumentTypes }) {
    this.#thread = thread;
    this.path = path;
    this.#types = types;
  }

  async getMany(
    ids: readonly string[],
    at?: Basis | AsOf,
    { texts }: ReadOptions = {},
  ): Promise<ReadonlyMap<string, StoredVersion>> {
    this.#thread.ensureOpen();
    const given = { ids: checkIds(ids), at };
    if (texts !== "later") return frozen(await this.#thread.ask("read", given));
    const packed = await this.#thread.ask("readPacked", given);
    return new Map(packed.map((one) => [one.version.id, unpackedLater(one)]));
  }

  async commit(writes: readonly Write[], options: CommitOptions = {}): Promise<CommitReceipt> {
    this.#thread.ensureOpen();
    return await this.#thread.ask("commit", checkCommit(writes, options, this.#types));
  }

  async history(id: string, page: Page = {}): Promise<HistoryPage> {
    const { versions, ...rest } = await this.#thread.ask("history", { id, page });
    return { ...rest, versions: frozen(versions) };
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<FindPage> {
    this.#thread.ensureOpen();
    const { versions, ...rest } = await this.#thread.ask("find", checkFind(filter, options, this.#types));
    return { ...rest, versions: frozen(versions) };
  }

  async erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt> {
    return await this.#thread.ask("erase", { named, reason });
  }

  async check(): Promise<StoreCheck> {
    return await this.#thread.ask("check", undefined);
  }

  async openStateCache({ path, entriesMax }: StateCacheOptions): Promise<StateCache> {
    this.#caches += 1;
    const cache = this.#caches;
    await this.#thread.ask("openCache", { cache, path, ...defined({ entriesMax }) });
    return new ThreadedStateCache(this.#thread, cache);
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }
}

/** Documents that came from the thread are the caller's own; frozen they are as those of any store. */
function frozen<Versions extends { values(): Iterable<ListedVersion> }>(versions: Versions): Versions {
  for (const { document } of versions.values()) if (document !== undefined) deepFreeze(document);
  return versions;
}
