import type { DatabaseSync } from "node:sqlite";
import zlib from "node:zlib";
import { storeError } from "./errors.ts";

type SqliteModule = { readonly DatabaseSync: typeof DatabaseSync };

/**
 * `node:sqlite`, loaded when a store is opened: a static import would end an older Node with a trace.
 * @throws CmError `store/unavailable`
 */
export function loadSqlite(): SqliteModule {
  const loaded = withoutExperimentalWarning((): SqliteModule | undefined => process.getBuiltinModule?.("node:sqlite"));
  if (loaded === undefined) throw tooOld("no node:sqlite");
  if (typeof zlib.zstdCompressSync !== "function") throw tooOld("no zstd");
  return loaded;
}

/**
 * Closes the connection where its SQLite has no index of texts, as that of Node 23.
 * @throws CmError `store/unavailable`
 */
export function checkModules(database: Pick<DatabaseSync, "prepare" | "close">): void {
  // A function alone: anything with a table reads the file, which another process may just be making.
  if (database.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS used").get()?.used === 1) return;
  database.close();
  throw tooOld("no FTS5 in its SQLite");
}

/**
 * Node 22 and early 24 warn on stderr, once, that SQLite is experimental: in the middle of a terminal program, or of what
 * a script reads. It says nothing about the store that its tests on that Node do not say better. Only that warning is held
 * back, and only while we load the module, which is when Node gives it; the process's settings stay as they are.
 */
function withoutExperimentalWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = (...given: readonly unknown[]) => {
    const [warning, kind] = given;
    if (kind === "ExperimentalWarning" && `${warning}`.startsWith("SQLite is an experimental feature")) return;
    Reflect.apply(emitWarning, process, given);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function tooOld(missing: string) {
  return storeError(
    "store/unavailable",
    `This Node (${process.version}) has ${missing}; use Node 22.19, or 24 or later, or another store.`,
    { node: process.version },
  );
}

/**
 * Whether two connections may leave the write-ahead log to SQLite. Before 3.51.3 a checkpoint of one could lose a commit
 * of another when the log was begun anew; the fix went back to 3.50.7 and 3.44.6. With others `GuardedLog` makes the
 * checkpoints.
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
