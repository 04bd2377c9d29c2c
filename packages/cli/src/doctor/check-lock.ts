import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isPlaceWritable } from "@cm/store-place";
import { limits } from "../limits.ts";
import { type CheckLine, ok, warn } from "./check-line.ts";

type SqliteModule = { readonly DatabaseSync: typeof DatabaseSync };

/**
 * Whether the file's write lock can be had, and which schema the file has. Nothing is written: the lock is taken and
 * given back. A file that may not be written has no lock to take. Call it while a reading store is open, or closing this connection would tidy up the log, which writes.
 */
export function checkLock(path: string): readonly CheckLine[] {
  const sqlite: SqliteModule | undefined = process.getBuiltinModule?.("node:sqlite");
  if (sqlite === undefined || !isPlaceWritable(path) || !isPlaceWritable(dirname(path))) return [];
  const database = new sqlite.DatabaseSync(path, { timeout: limits.lockWaitMs });
  try {
    const { user_version: version } = database.prepare("PRAGMA user_version").get() ?? {};
    const schema = ok("schema", `version ${version}`);
    database.exec("BEGIN IMMEDIATE; ROLLBACK");
    return [schema, ok("lock", "free")];
  } catch {
    return [
      warn(
        "lock",
        "Another program holds the write lock for long",
        "Wait for it, or look which program uses the file.",
      ),
    ];
  } finally {
    database.close();
  }
}
