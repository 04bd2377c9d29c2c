import {
  type AsOf,
  type Basis,
  type CommitOptions,
  type CommitReceipt,
  checkCommit,
  checkFilter,
  checkIds,
  checkNamed,
  checkReason,
  type DocumentTypes,
  type EraseReceipt,
  type Filter,
  type FindPage,
  type HistoryPage,
  type Page,
  pageRows,
  type ReadOptions,
  refusals,
  type StoreCheck,
  type StoredVersion,
  type VersionName,
  type Write,
} from "@cm/object-model";
import { checkOf } from "./check.ts";
import { writeCommit } from "./commit.ts";
import type { Database } from "./database.ts";
import { eraseObjects } from "./erase.ts";
import { findPage } from "./find.ts";
import type { PostgresObjectStore } from "./open-store.ts";
import { historyPage, versionsAt } from "./read.ts";

export interface PostgresStoreSetting {
  readonly types: DocumentTypes;
  readonly now: (() => number) | undefined;
  readonly shown: string;
}

/** The contract over a database. Checks of a call come first, so that a wrong one costs no round trip. */
export class PostgresStore implements PostgresObjectStore {
  readonly contract = "object-store/1";
  readonly shown: string;
  readonly #database: Database;
  readonly #types: DocumentTypes;
  readonly #now: (() => number) | undefined;
  #closed = false;

  constructor(database: Database, { types, now, shown }: PostgresStoreSetting) {
    this.#database = database;
    this.shown = shown;
    this.#types = types;
    this.#now = now;
  }

  async getMany(
    ids: readonly string[],
    at?: Basis | AsOf,
    options: ReadOptions = {},
  ): Promise<ReadonlyMap<string, StoredVersion>> {
    return versionsAt(this.#open(), checkIds(ids), { ...options, at, now: this.#now });
  }

  async commit(writes: readonly Write[], options: CommitOptions = {}): Promise<CommitReceipt> {
    return writeCommit(this.#open(), checkCommit(writes, options, this.#types), this.#now);
  }

  async history(id: string, page: Page = {}): Promise<HistoryPage> {
    return historyPage(this.#open(), id, { ...page, limit: pageRows(page) });
  }

  async find(filter: Filter, page: Page = {}): Promise<FindPage> {
    const database = this.#open();
    const limit = pageRows(page);
    return findPage(database, checkFilter(filter), { page: { ...page, limit }, now: this.#now });
  }

  async erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt> {
    const database = this.#open();
    return eraseObjects(database, { named: checkNamed(named), reason: checkReason(reason), now: this.#now });
  }

  async check(): Promise<StoreCheck> {
    return checkOf(this.#open());
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#database.close();
  }

  #open(): Database {
    if (this.#closed) throw refusals.closed();
    return this.#database;
  }
}
