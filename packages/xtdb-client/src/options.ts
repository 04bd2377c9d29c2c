import type { Format } from "./answers.ts";
import type { CallOptions } from "./call.ts";
import type { EdnOutput } from "./edn/values.ts";
import type { TransactionChoices } from "./transaction-text.ts";

export interface XtdbOptions {
  /** One node or several of one cluster, in the order of preference: "http://127.0.0.1:3000". */
  readonly urls: string | readonly string[];
  /** Sent as a bearer token with every request. */
  readonly token?: string | undefined;
  /** Lets `http:` leave this machine. What is sent can then be read and changed on the way. */
  readonly allowCleartext?: boolean | undefined;
  /** For calls that name none: 30,000. */
  readonly deadlineMs?: number | undefined;
  /** The largest answer that is read: 128 MiB. */
  readonly answerBytesMax?: number | undefined;
  /** Reads wait until the node has what this client submitted last. Default true. */
  readonly readYourWrites?: boolean | undefined;
}

/** The state that is read. */
export interface At {
  /** As of this transaction, waiting for it where a node is behind. Default: the newest. */
  readonly txId?: number | undefined;
  /** Where `txId` is not given: as of the newest transaction, which is not before this one. */
  readonly notBeforeTxId?: number | undefined;
  /** The valid time of the read. Default: now, by the node's clock. */
  readonly validTime?: Date | undefined;
}

export interface ReadOptions extends At, CallOptions {
  /** "json" (default) is quicker; instants, keywords, bytes and sets come as strings and arrays, instants without ms. */
  readonly format?: Format | undefined;
}

export interface QueryOptions<Row> extends ReadOptions {
  /** Checks and types a row. */
  readonly parse: (row: EdnOutput) => Row;
}

export interface SubmitOptions extends CallOptions, TransactionChoices {}

/** A transaction in the log. Queued, which is not yet committed. */
export interface Queued {
  readonly txId: number;
  readonly txTime: Date;
}

export interface Confirmed extends Queued {
  /** False when a match failed, a function threw or a time was refused: then nothing of it was applied. */
  readonly committed: boolean;
}

/** A document as it was read: attribute names without the colon. */
export type StoredDocument = { readonly [attribute: string]: EdnOutput };

export interface EntityVersion {
  readonly txId: number;
  readonly txTime: Date;
  readonly validTime: Date;
  /** Null where the version ends the entity's validity. */
  readonly contentHash: string | null;
}

export interface NodeStatus {
  readonly version: string | undefined;
  readonly revision: string | undefined;
  readonly indexVersion: number | undefined;
  readonly kvStore: string | undefined;
  readonly estimatedKeys: number | undefined;
  /** The size of the data folder, if there is one. */
  readonly sizeBytes: number | undefined;
  /** True where the node indexes nothing any more, until it is restarted. */
  readonly ingesterFailed: boolean;
}

export interface HistoriesOptions extends At, CallOptions {
  /** By valid time; "asc" unless said otherwise. */
  readonly order?: "asc" | "desc" | undefined;
  /** Default true. */
  readonly documents?: boolean | undefined;
}

/**
 * `validTime` cuts the history off; the default is the year 9999, so that versions valid in the future are there too.
 * Deadlines are for one page each.
 */
export interface HistoryOptions extends HistoriesOptions {
  /** The first valid time in the chosen order, inclusive. */
  readonly start?: Date | undefined;
  /** The valid time in the chosen order to stop before. */
  readonly end?: Date | undefined;
}

export interface HistoryEntry extends EntityVersion {
  /** Null where the version ends the entity's validity; absent where documents were not asked for. */
  readonly document?: StoredDocument | null;
}

/** Deadlines are for one page each. */
export interface TxLogOptions extends CallOptions {
  /** Begin after this transaction. */
  readonly afterTxId?: number | undefined;
  /** With what each transaction did, as EDN: [[:xtdb.api/put {...}] ...]. */
  readonly operations?: boolean | undefined;
}

export interface LogEntry extends Queued {
  readonly operations?: readonly EdnOutput[];
}
