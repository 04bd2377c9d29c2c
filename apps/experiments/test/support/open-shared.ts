import type { ObjectStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { openXtdbStore } from "@cm/store-xtdb";

export type StoreKind = "SQLite" | "XTDB";

/** A store that several processes open: where it is, in words that fit on a command line. */
export interface SharedStore {
  readonly kind: StoreKind;
  readonly where: string;
}

export function openShared({ kind, where }: SharedStore): ObjectStore & { close(): Promise<void> } {
  if (kind === "SQLite") return openSqliteStore({ path: where });
  const [url = "", namespace = ""] = where.split(" ");
  return openXtdbStore({ urls: [url], namespace });
}
