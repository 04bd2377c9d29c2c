import type { Clojure } from "./datalog.ts";
import type { EdnInput, Keyword, Tagged } from "./edn/values.ts";

/** The id of an entity. Strings are the best choice: any text, accepted by every endpoint. */
export type EntityId = string | number | bigint | Keyword | Tagged;

/** Attribute names are keywords from [A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)?, without the colon. */
export interface XtdbDocument {
  readonly "xt/id": EntityId;
  readonly [attribute: string]: EdnInput;
}

export type Operation =
  | { readonly kind: "put"; readonly document: XtdbDocument; readonly from?: Date; readonly to?: Date }
  | { readonly kind: "remove"; readonly id: EntityId; readonly from?: Date; readonly to?: Date }
  | { readonly kind: "evict"; readonly id: EntityId }
  | { readonly kind: "match"; readonly id: EntityId; readonly document: XtdbDocument | null; readonly at?: Date }
  | { readonly kind: "putFunction"; readonly id: EntityId; readonly code: Clojure }
  | { readonly kind: "callFunction"; readonly id: EntityId; readonly args: readonly EdnInput[] };

/** Writes a version, valid from `from` (the transaction's time) until `to` (the next version). */
export const put = (document: XtdbDocument, from?: Date, to?: Date): Operation => ({
  kind: "put",
  document,
  ...period(from, to),
});

/** Ends an entity's validity; its history stays. */
export const remove = (id: EntityId, from?: Date, to?: Date): Operation => ({
  kind: "remove",
  id,
  ...period(from, to),
});

/**
 * Takes all versions of an entity away, at all times. Trap of XTDB 1: never put a document back that equals one which
 * was evicted; a replay of the log destroys it. Never evict and put the same id in one transaction.
 */
export const evict = (id: EntityId): Operation => ({ kind: "evict", id });

/** The transaction does nothing unless the version valid at `at` (now) is exactly this; null: unless there is none. */
export const match = (id: EntityId, document: XtdbDocument | null, at?: Date): Operation => ({
  kind: "match",
  id,
  document,
  ...(at === undefined ? {} : { at }),
});

/** Stores a transaction function. It needs `allowCode`, because it runs code on every node. */
export const putFunction = (id: EntityId, code: Clojure): Operation => ({ kind: "putFunction", id, code });

/** Calls a transaction function. Needs `allowCode`. */
export const callFunction = (id: EntityId, ...args: readonly EdnInput[]): Operation => ({
  kind: "callFunction",
  id,
  args,
});

function period(from: Date | undefined, to: Date | undefined): { from?: Date; to?: Date } {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
