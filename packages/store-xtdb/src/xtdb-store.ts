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
  type EraseReceipt,
  type Filter,
  type FindOptions,
  type FindPage,
  type HistoryPage,
  historyRows,
  type ObjectStore,
  type Page,
  pageRows,
  refusals,
  type StoredVersion,
  type VersionName,
  type Write,
} from "@cm/object-model";
import { checkValidTime } from "./check-valid-time.ts";
import { commitWrites } from "./commit.ts";
import type { Database } from "./database.ts";
import { eraseObjects } from "./erase.ts";
import { explained, storeError } from "./errors.ts";
import { findPage } from "./find.ts";
import { historyPages } from "./histories.ts";
import { historyPage } from "./history.ts";
import { readMany } from "./read-many.ts";

/** The contract over one database. Each method has a file that does its work. */
export class XtdbStore implements ObjectStore {
  readonly contract = "object-store/1";
  readonly namespace: string;
  readonly #database: Database;
  readonly #closeClient: () => Promise<void>;
  #closed = false;

  constructor(database: Database, closeClient: () => Promise<void>) {
    this.namespace = database.names.namespace;
    this.#database = database;
    this.#closeClient = closeClient;
  }

  async getMany(ids: readonly string[], at?: Basis | AsOf): Promise<ReadonlyMap<string, StoredVersion>> {
    return this.#guarded((database) => readMany(database, checkIds(ids), at));
  }

  async commit(writes: readonly Write[], options: CommitOptions = {}): Promise<CommitReceipt> {
    return this.#guarded((database) =>
      commitWrites(database, checkValidTime(checkCommit(writes, options, database.types))),
    );
  }

  async history(id: string, page: Page = {}): Promise<HistoryPage> {
    return this.#guarded(async (database) => {
      const limit = historyRows(id, page);
      return id.isWellFormed() ? historyPage(database, id, { ...page, limit }) : { versions: [] };
    });
  }

  async histories(ids: readonly string[], page: Omit<Page, "cursor"> = {}): Promise<ReadonlyMap<string, HistoryPage>> {
    return this.#guarded((database) => historyPages(database, checkIds(ids), { ...page, limit: pageRows(page) }));
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<FindPage> {
    return this.#guarded(async (database) => {
      const find = checkFind(filter, options, database.types);
      if (filter.text !== undefined) {
        throw storeError("store/unsupported", "This store has no text search; leave the text out of the filter.");
      }
      return findPage(database, find);
    });
  }

  async erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt> {
    return this.#guarded((database) => eraseObjects(database, checkNamed(named), checkReason(reason)));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#closeClient();
  }

  async #guarded<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (this.#closed) throw refusals.closed();
    try {
      return await work(this.#database);
    } catch (error) {
      throw await explained(error, this.#database.client);
    }
  }
}
