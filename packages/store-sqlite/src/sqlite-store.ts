import { setImmediate } from "node:timers/promises";
import {
  type AsOf,
  type Basis,
  type CheckedCommit,
  type CheckedFind,
  type CommitOptions,
  type CommitReceipt,
  checkCommit,
  checkFind,
  checkIds,
  checkNamed,
  checkReason,
  type DocumentTypes,
  defined,
  type EraseReceipt,
  type Filter,
  type FindOptions,
  type FindPage,
  findCursor,
  type HistoryPage,
  historyRows,
  isCmError,
  type ObjectStore,
  type Page,
  type ReadOptions,
  refusals,
  type StoreCheck,
  type StoredVersion,
  type VersionName,
  type Write,
} from "@cm/object-model";
import { fromOrderedText } from "@cm/object-model/stored-form";
import { writeCommit } from "./commit.ts";
import type { Connection } from "./connection.ts";
import { eraseObjects } from "./erase.ts";
import { toStoreError } from "./errors.ts";
import { checkOf } from "./file-problems.ts";
import { type FoundRow, findRows } from "./find-query.ts";
import { findRowsByText } from "./find-text.ts";
import { prepareWrite } from "./insert-version.ts";
import { storeLimits } from "./limits.ts";
import { momentOf } from "./moment.ts";
import { OpenedFile } from "./opened-file.ts";
import { type PackedVersion, packedVersionsAt } from "./packed-versions.ts";
import { historyPage, listedVersions, versionsAt } from "./read-query.ts";
import { indexMore, isBehind } from "./text-index.ts";
import { basisOf } from "./tokens.ts";

export interface SqliteStoreSetting {
  readonly path: string;
  readonly types: DocumentTypes;
  readonly now: () => number;
  readonly readOnly: boolean;
}

/**
 * The contract over one connection. Every call does its work before it returns, and the promise is for the contract; only
 * a search that takes texts into the index pauses meanwhile.
 */
export class SqliteStore implements ObjectStore {
  readonly contract = "object-store/1";
  /** The file as an absolute path, or ":memory:". */
  readonly path: string;
  readonly #connection: Connection;
  readonly #types: DocumentTypes;
  readonly #now: () => number;
  readonly #readOnly: boolean;
  readonly #file: OpenedFile | undefined;
  #closed = false;

  constructor(connection: Connection, options: SqliteStoreSetting) {
    this.#connection = connection;
    this.path = options.path;
    this.#types = options.types;
    this.#now = options.now;
    this.#readOnly = options.readOnly;
    this.#file = options.path === ":memory:" ? undefined : new OpenedFile(options.path);
  }

  async getMany(
    ids: readonly string[],
    at?: Basis | AsOf,
    options: ReadOptions = {},
  ): Promise<ReadonlyMap<string, StoredVersion>> {
    return this.#read((connection) => {
      const moment = momentOf(connection, at, this.#now);
      return versionsAt(connection, checkIds(ids), { ...options, moment });
    });
  }

  /** `getMany` for another thread, which unpacks the texts when they are looked at. */
  async getPacked(ids: readonly string[], at?: Basis | AsOf): Promise<readonly PackedVersion[]> {
    return this.#read((connection) => packedVersionsAt(connection, checkIds(ids), momentOf(connection, at, this.#now)));
  }

  async commit(writes: readonly Write[], options: CommitOptions = {}): Promise<CommitReceipt> {
    return this.commitChecked(() => checkCommit(writes, options, this.#types));
  }

  /** `commit` for a caller in another thread that has already checked the documents. */
  async commitChecked(check: () => CheckedCommit): Promise<CommitReceipt> {
    return this.#guarded((connection) => {
      this.#file?.checkIsThere();
      const commit = check();
      const prepared = commit.writes.map((write) => prepareWrite(connection, write));
      return connection.write(() => writeCommit(connection, { commit, writes: prepared, now: this.#now }));
    });
  }

  async history(id: string, page: Page = {}): Promise<HistoryPage> {
    return this.#read((connection) => historyPage(connection, id, { ...page, limit: historyRows(id, page) }));
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<FindPage> {
    return this.findChecked(() => checkFind(filter, options, this.#types));
  }

  /** `find` for a caller in another thread that has already checked the question. */
  async findChecked(check: () => CheckedFind): Promise<FindPage> {
    const find = this.#guarded(check);
    const { text } = find.filter;
    if (text !== undefined) await this.#indexTexts();
    return this.#read((connection) => {
      const moment = momentOf(connection, undefined, this.#now);
      const setting = { moment, find };
      const found = text === undefined ? findRows(connection, setting) : findRowsByText(connection, text, setting);
      const rows = found.slice(0, find.limit);
      const last = found.length > find.limit ? rows.at(-1) : undefined;
      return {
        versions: listedVersions(connection, rows, find),
        basis: basisOf(moment.txId),
        ...defined({ next: last === undefined ? undefined : cursorAfter(find, last) }),
      };
    });
  }

  async erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt> {
    return this.#guarded((connection) => {
      this.#file?.checkIsThere();
      const request = { named: checkNamed(named), reason: checkReason(reason), now: this.#now };
      const receipt = connection.write(() => eraseObjects(connection, request));
      connection.truncateLog();
      return receipt;
    });
  }

  async check(): Promise<StoreCheck> {
    return this.#guarded((connection) => checkOf(connection));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      try {
        this.#connection.settle();
      } finally {
        this.#connection.close();
      }
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** Between two transactions others have their turn. Where it fails the search is slower, and no less right. */
  async #indexTexts(): Promise<void> {
    if (this.#readOnly || !this.#guarded(isBehind)) return;
    const transactionsMax = storeLimits.indexTextsPerSearchMax / storeLimits.indexTextsMax;
    try {
      for (let n = 0; n < transactionsMax && this.#guarded(indexMore); n += 1) await setImmediate();
    } catch (error) {
      if (isCmError(error, "store/closed")) throw error;
    }
  }

  #read<T>(work: (connection: Connection) => T): T {
    return this.#guarded((connection) => connection.read(() => work(connection)));
  }

  #guarded<T>(work: (connection: Connection) => T): T {
    if (this.#closed) throw refusals.closed();
    try {
      return work(this.#connection);
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

const cursorAfter = ({ order }: CheckedFind, { id, newest = 0 }: FoundRow): string =>
  findCursor(order, { newest, id: fromOrderedText(id) });
