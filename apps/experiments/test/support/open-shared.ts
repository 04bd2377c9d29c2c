import type { ObjectStore } from "@cm/object-model";
import { postgresStoreAt } from "@cm/store-postgres";
import { openSqliteStore } from "@cm/store-sqlite";
import { openXtdbStore } from "@cm/store-xtdb";

export type StoreKind = "SQLite" | "XTDB";

/** A store that several processes open: where it is, in words that fit on a command line. */
export interface SharedStore {
  readonly kind: StoreKind;
  readonly where: string;
}

/** One more kind than tests are run on by `withSharedStore`. */
export type SharedPlace = SharedStore | { readonly kind: "Postgres"; readonly where: string };

export function openShared({ kind, where }: SharedPlace): ObjectStore & { close(): Promise<void> } {
  if (kind === "SQLite") return openSqliteStore({ path: where });
  if (kind === "Postgres") return postgresStoreAt({ url: where });
  const [url = "", namespace = ""] = where.split(" ");
  return openXtdbStore({ urls: [url], namespace });
}
