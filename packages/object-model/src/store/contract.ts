import type { ObjectDocument } from "../documents/document.ts";

/** Opaque token of a committed transaction. A read at a basis gives the same answer for ever, erasure aside. */
export type Basis = string & { readonly __basis?: never };

/** Opaque token of the newest write to one object, whatever its valid time. Compare it for equality only. */
export type VersionToken = string & { readonly __version?: never };

/**
 * Two time axes. `basis`: which transactions count (default: all). `validTime`: the moment asked about (default: the
 * time of the basis where one is given, else now). At both, the version with the greatest valid time not after
 * `validTime` holds; among equal ones the latest transaction.
 */
export interface AsOf {
  readonly basis?: Basis;
  readonly validTime?: Date;
}

/**
 * `later`: a store may leave a document's text packed until its `content` is looked at. Damage of the text is told
 * then, by that look. For those who read many documents and look at few texts.
 */
export interface ReadOptions {
  readonly texts?: "later";
}

export interface Erasure {
  readonly reason: string;
  readonly at: Date;
}

interface VersionStamp {
  readonly id: string;
  readonly type: string;
  /** The write that made this version. */
  readonly token: VersionToken;
  readonly contentHash: string;
  readonly validTime: Date;
  readonly transactionTime: Date;
  /** The transaction that made this version. */
  readonly basis: Basis;
}

/** A version as a store gives it back. An erased one keeps its stamp and hash and lost its document for good. */
export type StoredVersion = VersionStamp &
  (
    | { readonly document: ObjectDocument; readonly erased?: undefined }
    | { readonly document?: undefined; readonly erased: Erasure }
  );

/** A version as `history` and `find` list it: the document only where it was asked for. */
export type ListedVersion = VersionStamp & {
  readonly document?: ObjectDocument | undefined;
  readonly erased?: Erasure | undefined;
};

export interface Write {
  readonly document: ObjectDocument;
  /**
   * `absent`: the object was never written. A token: it is the object's newest write. `any`: no condition.
   * Expectations look at the newest write, not at a valid time.
   */
  readonly expect: "any" | "absent" | VersionToken;
}

export interface CommitOptions {
  /** Repeating a commit under one id gives the first receipt again and writes nothing. */
  readonly requestId?: string;
  /** From when the versions hold; default: the transaction's time. Past and future are allowed. */
  readonly validTime?: Date;
}

export interface CommitReceipt {
  readonly basis: Basis;
  readonly transactionTime: Date;
  /** One for each write, in order. `unchanged`: the version that holds at the valid time says the same. */
  readonly results: readonly {
    readonly id: string;
    readonly outcome: "written" | "unchanged";
    readonly token: VersionToken;
  }[];
}

/** Rows per page are bounded by `limits.pageRowsMax`, which is also the default. */
export interface Page {
  readonly limit?: number;
  readonly cursor?: string;
  readonly documents?: boolean;
}

/** `newest`: by the field that the filter's type declares for it, greatest first, equal ones by id. Not with `text`, `path` and `source`. */
export interface FindOptions extends Page {
  readonly order?: "id" | "newest";
}

/** `next` is there exactly when more rows follow. */
export interface HistoryPage {
  readonly versions: readonly ListedVersion[];
  readonly next?: string;
}
export interface FindPage extends HistoryPage {
  readonly basis: Basis;
}

/** All given conditions hold together. At least one of `type`, `session` and `source` must be given. */
export interface Filter {
  readonly type?: string;
  /** Objects of one session: its heads, steps, tool calls. */
  readonly session?: string;
  /** Sourced objects by namespace and start of path (see `locationOf`). */
  readonly source?: { readonly type: string; readonly namespace?: string; readonly pathPrefix?: string };
  /** A piece of the source's path, upper and lower case told apart. */
  readonly path?: string;
  /** A tool's name. */
  readonly tool?: string;
  /**
   * What fields that the type declares as indexed contain; `type` must be given. A value contains what it equals, an
   * object contains one whose members it all contains, an array one whose elements all equal some of its own.
   */
  readonly where?: Readonly<Record<string, unknown>>;
  /** A piece of the current text, case ignored. A store without text search answers `store/unsupported`. */
  readonly text?: string;
}

/** One version of an object, by the token of the write that made it. */
export interface VersionName {
  readonly id: string;
  readonly version: VersionToken;
}

export interface EraseReceipt {
  readonly basis: Basis;
  readonly at: Date;
  /** The named objects, and the objects of named versions, that were there. */
  readonly erased: readonly string[];
  /** Objects that were not named and lost versions, because they held the same text or were attached. */
  readonly shared: readonly string[];
  /** Named ids that were never written, and ids of named versions that were not. */
  readonly unknown: readonly string[];
}

/** What a store found wrong with its own files. */
export interface StoreCheck {
  /** A sentence each, without content; empty where all is sound. A bounded number of them. */
  readonly problems: readonly string[];
  /** When the newest transaction was, where the store's times never run backwards: a clock that was wrong once shows in it. */
  readonly newestTransactionTime?: Date;
}

/**
 * "object-store/1": versioned documents on two time axes. The suite `object-store` of the testkit is the law; the
 * memory store is its reference.
 *
 * Promises: a commit is all or nothing and readable at its receipt's basis when the call returns. Transaction times
 * never run backwards, also when the clock does. An envelope never changes. A write that says what already holds adds
 * no version. Every error is a CmError with a `StoreErrorCode`; after any error but `store/unknown-outcome` nothing
 * was written.
 */
export interface ObjectStore {
  readonly contract: "object-store/1";
  /** The versions that hold, by id; ids without one are left out. Without `at`: all transactions, valid now. */
  getMany(
    ids: readonly string[],
    at?: Basis | AsOf,
    options?: ReadOptions,
  ): Promise<ReadonlyMap<string, StoredVersion>>;
  /** Documents are checked whole before anything is written. An id may stand once in a commit. */
  commit(writes: readonly Write[], options?: CommitOptions): Promise<CommitReceipt>;
  /** All versions with corrections, by valid time and then transaction, newest first. Unknown ids have none. */
  history(id: string, page?: Page): Promise<HistoryPage>;
  /**
   * The first page of `history` of each of many objects, in few requests. Ids that were never written are left out. A
   * store without it is asked for each history by itself.
   */
  histories?(ids: readonly string[], page?: Omit<Page, "cursor">): Promise<ReadonlyMap<string, HistoryPage>>;
  /** Objects whose version valid now meets the filter, by id or newest first. A cursor is of one filter and order. */
  find(filter: Filter, page?: FindOptions): Promise<FindPage>;
  /**
   * Takes every version of the named objects for good, and every version of other objects with the same text. The
   * one exception to append-only history (SSOT 2.8): what stays is the stamp, the reason and the time. Of an object
   * whose versions are named, only those go; attachments that its other versions name, too, stay.
   */
  erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt>;
  /**
   * Looks through the store's own files, indexes included, for what reading by id or list cannot see: a document that no
   * index leads to any more. It reads all of them. A store without it has nothing of the kind to look at.
   */
  check?(): Promise<StoreCheck>;
  /**
   * A hint to look again, never what to look for: ends when the store has a newer transaction than `since`, at once where it has one
   * already, and without an error when `signal` aborts. It costs the writers nothing that they notice, and spares its caller to
   * ask again and again. A store without it is asked so.
   * @throws CmError `store/unknown-basis`, `store/closed`, also while it waits
   */
  changed?(since: Basis, signal?: AbortSignal): Promise<void>;
  close?(): Promise<void>;
}
