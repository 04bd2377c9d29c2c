import type { Call, CallOptions } from "./call.ts";
import { type Datalog, queryLiteral } from "./datalog.ts";
import type { EdnInput, EdnOutput } from "./edn/values.ts";
import { EdnWriter } from "./edn/write.ts";
import {
  basisSchema,
  entityVersionSchema,
  envelope,
  statusSchema,
  syncSchema,
  txIdSchema,
  txSchema,
} from "./envelopes.ts";
import { healthOf, type NodeHealth } from "./health.ts";
import { entityHistories, type SingleHistories } from "./histories.ts";
import { entityHistory } from "./history.ts";
import type { EntityId, Operation } from "./operations.ts";
import type {
  At,
  Confirmed,
  EntityVersion,
  HistoriesOptions,
  HistoryEntry,
  HistoryOptions,
  LogEntry,
  NodeStatus,
  QueryOptions,
  Queued,
  ReadOptions,
  StoredDocument,
  SubmitOptions,
  TxLogOptions,
  XtdbOptions,
} from "./options.ts";
import { type Pages, pagesOf } from "./pages.ts";
import { atParameters, checkTxId, idParameter, parameters } from "./parameters.ts";
import { type AskQuery, isDocument, pullDocuments } from "./pull.ts";
import { type Request, Requester } from "./requester.ts";
import { badAnswer } from "./server-errors.ts";
import { Transactions } from "./transactions.ts";
import { transactionLog } from "./tx-log.ts";

/** Opens no connection; the first call does. */
export function connectXtdb(options: XtdbOptions): XtdbClient {
  return new XtdbClient(options);
}

/** A client of one XTDB v1 database, behind one node or several. Made by `connectXtdb`. */
export class XtdbClient {
  readonly #requester: Requester;
  readonly #readYourWrites: boolean;
  readonly #transactions: Transactions;
  readonly #pages: Pages;
  readonly #askQuery: AskQuery = (query, ids, at, format, call) =>
    this.#rows(this.#query(query, [ids], { ...at, format }), call);
  /** The basis of a read without `at`, for several reads that must agree. */
  readonly #newest = async (options: CallOptions): Promise<number | undefined> => {
    const indexed = (await this.latestCompleted(options))?.txId;
    return indexed === undefined ? undefined : Math.max(indexed, this.#ownTxId ?? -1);
  };
  readonly #singleHistories: SingleHistories = {
    refused: false,
    newestTxId: (call) => this.#newest({ deadlineMs: call.remainingMs() }),
    read: (id, options) => this.history(id, options),
  };

  constructor(options: XtdbOptions) {
    this.#requester = new Requester(options);
    this.#transactions = new Transactions(this.#requester);
    this.#readYourWrites = options.readYourWrites !== false;
    this.#pages = pagesOf(this.#requester, (at) => this.#waitsFor(at));
  }

  /** Puts a transaction into the log. Queued is not committed: `isCommitted` tells, `submitAndConfirm` does both. */
  async submit(operations: readonly Operation[], options: SubmitOptions = {}): Promise<Queued> {
    return await this.#transactions.submit(operations, options);
  }

  /** Submits, waits until the transaction is indexed and says whether it was committed: one request, two to upstream's server. */
  async submitAndConfirm(operations: readonly Operation[], options: SubmitOptions = {}): Promise<Confirmed> {
    return await this.#transactions.submitAndConfirm(operations, options);
  }

  /** Waits for a transaction and says whether it was committed. Also the question to ask after a lost answer. */
  async isCommitted(txId: number, options: CallOptions = {}): Promise<boolean> {
    return await this.#transactions.isCommitted(txId, options);
  }

  /** Waits until a node has indexed a transaction; gives the newest that it has. */
  async awaitTx(txId: number, options: CallOptions = {}): Promise<Queued> {
    const request = { endpoint: "await-tx", parameters: `tx-id=${checkTxId(txId)}`, format: "edn" } as const;
    return envelope(
      txSchema,
      await this.#must({ ...request, waits: { timeoutParameter: "timeout", txId } }, options),
      "await-tx",
    );
  }

  /** Waits until a node has indexed what is in the log now. */
  async sync(options: CallOptions = {}): Promise<{ readonly txTime: Date | undefined }> {
    const request = { endpoint: "sync", format: "edn", waits: { timeoutParameter: "timeout" } } as const;
    return envelope(syncSchema, await this.#must(request, options), "sync");
  }

  /** The newest transaction that a node has indexed, committed or not. */
  async latestCompleted(options: CallOptions = {}): Promise<Queued | undefined> {
    const value = await this.#requester.ask(
      { endpoint: "latest-completed-tx", format: "edn", mayBeAbsent: true },
      options,
    );
    return value === undefined ? undefined : envelope(txSchema, value, "latest-completed-tx");
  }

  /** The newest transaction in the log. */
  async latestSubmitted(options: CallOptions = {}): Promise<{ readonly txId: number } | undefined> {
    const value = await this.#requester.ask(
      { endpoint: "latest-submitted-tx", format: "json", mayBeAbsent: true },
      options,
    );
    return value === undefined ? undefined : envelope(txIdSchema, value, "latest-submitted-tx");
  }

  /** The state that a read without `at` would see: give both to several reads that must agree. */
  async basis(
    options: At & CallOptions = {},
  ): Promise<{ readonly validTime: Date; readonly txId: number | undefined }> {
    return envelope(basisSchema, await this.#must(this.#read("db", "edn", options), options), "db");
  }

  /** The status of the first node that answers. */
  async status(options: CallOptions = {}): Promise<NodeStatus> {
    return envelope(statusSchema, await this.#must({ endpoint: "status", format: "json" }, options), "status");
  }

  /** The document of an entity, `undefined` where there is none. */
  async entity(id: EntityId, options: ReadOptions = {}): Promise<StoredDocument | undefined> {
    const read = this.#read("entity", options.format ?? "json", options, idParameter(id));
    const value = await this.#requester.ask({ ...read, mayBeAbsent: true }, options);
    if (value !== undefined && !isDocument(value)) throw badAnswer("entity", "no document");
    return value;
  }

  /** Which version of an entity is valid; `undefined` where there never was one. */
  async entityTx(id: EntityId, options: At & CallOptions = {}): Promise<EntityVersion | undefined> {
    const read = this.#read("entity-tx", "edn", options, idParameter(id));
    const value = await this.#requester.ask({ ...read, mayBeAbsent: true }, options);
    return value === undefined ? undefined : envelope(entityVersionSchema, value, "entity-tx");
  }

  /** Rows of a query; XTDB may give a row more than once. Values go into the arguments, one for each `:in`. */
  query<Row>(query: Datalog, args: readonly EdnInput[], options: QueryOptions<Row>): Promise<readonly Row[]>;
  query(query: Datalog, args?: readonly EdnInput[], options?: ReadOptions): Promise<readonly EdnOutput[]>;
  async query<Row>(
    query: Datalog,
    args: readonly EdnInput[] = [],
    options: ReadOptions & Partial<QueryOptions<Row>> = {},
  ): Promise<readonly (Row | EdnOutput)[]> {
    const request = this.#query(query, args, options);
    const rows = await this.#requester.within("query", options, (call) => this.#rows(request, call));
    return options.parse === undefined ? rows : rows.map(options.parse);
  }

  /** Documents by id, in the order of the ids, each once; ids without a document are left out. Few requests. */
  async pull(ids: readonly EntityId[], options: ReadOptions = {}): Promise<ReadonlyMap<EntityId, StoredDocument>> {
    return await this.#requester.within("query", options, (call) => pullDocuments(ids, options, call, this.#askQuery));
  }

  /** All versions of an entity, corrections included, with exact times. Read page by page. */
  history(id: EntityId, options: HistoryOptions = {}): AsyncIterable<HistoryEntry> {
    return entityHistory(id, options, this.#pages, this.#newest);
  }

  /**
   * Histories by id, in the order of the ids, each once; entities that never were, or were evicted, are left out. One
   * query for a thousand; where a node refuses that, single histories side by side.
   */
  async histories(
    ids: readonly EntityId[],
    options: HistoriesOptions = {},
  ): Promise<ReadonlyMap<EntityId, readonly HistoryEntry[]>> {
    return await this.#requester.within("query", options, (call) =>
      entityHistories(ids, options, call, this.#askQuery, this.#singleHistories),
    );
  }

  /** The committed transactions, oldest first. */
  txLog(options: TxLogOptions = {}): AsyncIterable<LogEntry> {
    return transactionLog(options, this.#pages);
  }

  /** Each node by itself: whether it answers, whether it still indexes, and how far it is behind. */
  async health(options: CallOptions = {}): Promise<readonly NodeHealth[]> {
    return await healthOf(this.#requester, options);
  }

  /** Ends all connections once the calls under way are done; later calls get `xtdb/closed`. */
  async close(): Promise<void> {
    await this.#requester.close();
  }

  async #rows(request: Request, call: Call): Promise<readonly EdnOutput[]> {
    const rows = await this.#requester.askWithin(request, call);
    if (!Array.isArray(rows)) throw badAnswer("query", "no rows");
    return rows;
  }

  #query(query: Datalog, args: readonly EdnInput[], options: ReadOptions): Request {
    const writer = new EdnWriter();
    writer.subject = "the query's arguments";
    writer.raw(`{:query ${queryLiteral(query)}`);
    if (args.length > 0) {
      writer.raw(" :in-args ");
      writer.value(args);
    }
    writer.raw("}");
    return { ...this.#read("query", options.format ?? "json", options), body: writer.text };
  }

  #read(endpoint: string, format: "json" | "edn", at: At, ...parts: readonly (string | undefined)[]): Request {
    return { endpoint, format, parameters: parameters(...parts, atParameters(at)), ...this.#waitsFor(at) };
  }

  #waitsFor({ txId, notBeforeTxId }: At): Pick<Request, "waits"> {
    const awaited = txId ?? greatest(this.#ownTxId, notBeforeTxId === undefined ? undefined : checkTxId(notBeforeTxId));
    return awaited === undefined ? {} : { waits: { timeoutParameter: "await-tx-timeout", txId: awaited } };
  }

  /** The transaction that a read waits for by default. */
  get #ownTxId(): number | undefined {
    return this.#readYourWrites ? this.#transactions.newestTxId : undefined;
  }

  async #must(request: Request, options: CallOptions): Promise<EdnOutput> {
    return (await this.#requester.ask(request, options)) ?? null;
  }
}

function greatest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
