import {
  type AsOf,
  type Basis,
  type CommitOptions,
  type CommitReceipt,
  checkCommit,
  checkFind,
  checkIds,
  checkNamed,
  checkReason,
  type DocumentTypes,
  type EraseReceipt,
  type Filter,
  type FindOptions,
  type FindPage,
  type HistoryPage,
  historyRows,
  type ObjectStore,
  type Page,
  type ReadOptions,
  refusals,
  type StoreCheck,
  type StoredVersion,
  type VersionName,
  type Write,
} from "@cm/object-model";
import type { ChangeHints } from "./change-hints.ts";
import { checkOf } from "./check.ts";
import { writeCommit } from "./commit.ts";
import type { Database } from "./database.ts";
import { eraseObjects } from "./erase.ts";
import { findPage } from "./find.ts";
import { historyPage, versionsAt } from "./read.ts";
import { TextIndex } from "./text-index/text-index.ts";

/** An `ObjectStore` in one schema of a Postgres. */
export interface PostgresObjectStore extends ObjectStore {
  changed(since: Basis, signal?: AbortSignal): Promise<void>;
  /** Host, port, database and schema, without a login. */
  readonly shown: string;
  close(): Promise<void>;
}

export interface PostgresStoreSetting {
  readonly types: DocumentTypes;
  readonly now: (() => number) | undefined;
  readonly shown: string;
  readonly hints: ChangeHints;
  /** Default: an index of the bounds of `storeLimits`. */
  readonly texts?: TextIndex;
  /** Connects, and makes sure of the schema; repeated by the next call where it failed. */
  readonly prepare: () => Promise<void>;
}

/** The contract over a database. Checks of a call come first, so that a wrong one costs no round trip. */
export class PostgresStore implements PostgresObjectStore {
  readonly contract = "object-store/1";
  readonly shown: string;
  readonly #database: Database;
  readonly #types: DocumentTypes;
  readonly #now: (() => number) | undefined;
  readonly #prepare: () => Promise<void>;
  readonly #texts: TextIndex;
  readonly #hints: ChangeHints;
  #prepared: Promise<void> | undefined;
  #closed = false;

  constructor(database: Database, { types, now, shown, hints, prepare, texts }: PostgresStoreSetting) {
    this.#database = database;
    this.#prepare = prepare;
    this.#hints = hints;
    this.#texts = texts ?? new TextIndex(database);
    this.shown = shown;
    this.#types = types;
    this.#now = now;
  }

  /** @throws CmError `store/unavailable` */
  async prepare(): Promise<void> {
    this.#prepared ??= this.#prepare();
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
  }

  async getMany(
    ids: readonly string[],
    at?: Basis | AsOf,
    options: ReadOptions = {},
  ): Promise<ReadonlyMap<string, StoredVersion>> {
    return this.#call((database) => versionsAt(database, checkIds(ids), { ...options, at, now: this.#now }));
  }

  async commit(writes: readonly Write[], options: CommitOptions = {}): Promise<CommitReceipt> {
    if (this.#closed) throw refusals.closed();
    const commit = checkCommit(writes, options, this.#types);
    return this.#call((database) => writeCommit(database, commit, this.#now));
  }

  async history(id: string, page: Page = {}): Promise<HistoryPage> {
    return this.#call((database) => historyPage(database, id, { ...page, limit: historyRows(id, page) }));
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<FindPage> {
    return this.#call((database) =>
      findPage(database, { find: checkFind(filter, options, this.#types), now: this.#now, texts: this.#texts }),
    );
  }

  async erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt> {
    return this.#call((database) =>
      eraseObjects(database, { named: checkNamed(named), reason: checkReason(reason), now: this.#now }),
    );
  }

  async check(): Promise<StoreCheck> {
    return this.#call(checkOf);
  }

  async changed(since: Basis, signal?: AbortSignal): Promise<void> {
    return this.#call(() => this.#hints.wait(since, signal));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#hints.close();
    await this.#database.close();
  }

  async #call<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (this.#closed) throw refusals.closed();
    await this.prepare();
    return work(this.#database);
  }
}
