import type { DatabaseSync } from "node:sqlite";
import { storeError } from "./errors.ts";
import { canUseDictionaries } from "./payload-codec.ts";

type SqliteModule = { readonly DatabaseSync: typeof DatabaseSync };

/**
 * `node:sqlite`, loaded when a store is opened: a static import would end an older Node with a trace.
 * @throws CmError `store/unavailable`
 */
export function loadSqlite(): SqliteModule {
  const loaded: SqliteModule | undefined = process.getBuiltinModule?.("node:sqlite");
  if (loaded !== undefined) return loaded;
  throw tooOld("no node:sqlite");
}

/** @throws CmError `store/unavailable` */
export function checkCompression(works: () => boolean = canUseDictionaries): void {
  if (!works()) throw tooOld("no zstd with dictionaries");
}

function tooOld(missing: string) {
  return storeError(
    "store/unavailable",
    `This Node (${process.version}) has ${missing}; use Node 24.6 or later, or another store.`,
    { node: process.version },
  );
}

/**
 * Before 3.51.3 two connections could lose a committed write when the log was reset, and two connections are the rule
 * here. The fix went back to 3.50.7 and 3.44.6.
 */
export function isSafeSqlite(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (major !== 3) return major > 3;
  if (minor >= 52) return true;
  return (
    patch >=
    (new Map([
      [51, 3],
      [50, 7],
      [44, 6],
    ]).get(minor) ?? Number.POSITIVE_INFINITY)
  );
}

/** @throws CmError `store/unavailable` */
export function checkSqlite(version: string): void {
  if (isSafeSqlite(version)) return;
  throw storeError(
    "store/unavailable",
    `SQLite ${version} can lose writes of two processes; use a Node with SQLite 3.51.3 or later.`,
    { sqlite: version },
  );
}
