import { coreDocumentTypes, type DocumentTypes, type ObjectStore } from "@cm/object-model";
import { connectXtdb, isXtdbError, type XtdbClient, type XtdbOptions } from "@cm/xtdb-client";
import { createDatabase } from "./database.ts";
import { storeError, toStoreError } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { Names } from "./names.ts";
import { XtdbStore } from "./xtdb-store.ts";

interface CommonOptions {
  /** The object types to accept; default: the core types. */
  readonly types?: DocumentTypes;
  /**
   * A name that keeps this store apart from others on the same node: 1 to 64 letters, digits, dots, underscores and
   * hyphens. A client that reaches the node reaches all namespaces. Default: none.
   */
  readonly namespace?: string;
  /**
   * For tests: milliseconds since the epoch, to be used in place of the database's own transaction times. Only one store
   * may then write to its namespace.
   */
  readonly now?: () => number;
}

/** A client, which stays open when the store is closed, or where to find the nodes. */
export type XtdbStoreOptions = CommonOptions & ({ readonly client: XtdbClient } | XtdbOptions);

/** An `ObjectStore` in a shared XTDB v1 database. */
export interface XtdbObjectStore extends ObjectStore {
  /** Empty for none. */
  readonly namespace: string;
  close(): Promise<void>;
}

/**
 * Opens a store. The first call connects.
 * @throws CmError `store/unavailable` for a URL or token that cannot be used, `store/limit` for a wrong namespace
 */
export function openXtdbStore(options: XtdbStoreOptions): XtdbObjectStore {
  const { types = coreDocumentTypes, now, namespace = "" } = options;
  const names = new Names(checkNamespace(namespace));
  const { client, close } = clientOf(options);
  return new XtdbStore(createDatabase({ client, names, types, now }), close);
}

function clientOf(options: XtdbStoreOptions): { client: XtdbClient; close: () => Promise<void> } {
  if ("client" in options) return { client: options.client, close: async () => {} };
  const { types: _, namespace: __, now: ___, ...connection } = options;
  try {
    const client = connectXtdb(connection);
    return { client, close: () => client.close() };
  } catch (error) {
    // Nothing was sent yet: it is an address or a setting that does not serve, and the client says which.
    if (isXtdbError(error, "xtdb/invalid")) throw storeError("store/unavailable", error.message, { xtdb: error.code });
    throw toStoreError(error);
  }
}

function checkNamespace(namespace: string): string {
  if (namespace === "") return namespace;
  if (namespace.length <= storeLimits.namespaceCharsMax && /^[A-Za-z0-9_.-]+$/.test(namespace)) return namespace;
  throw storeError(
    "store/limit",
    `A namespace has 1 to ${storeLimits.namespaceCharsMax} letters, digits, dots, underscores or hyphens.`,
    { limit: "namespaceCharsMax", actual: namespace.length, bound: storeLimits.namespaceCharsMax },
  );
}
