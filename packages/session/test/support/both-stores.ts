import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { openSqliteStore, type SqliteObjectStore } from "@cm/store-sqlite";
import { onTestFinished } from "vitest";

/** The two stores that sessions live in without a server: in memory, and in a file that is gone after the test. */
export const bothStores: readonly { readonly name: string; readonly open: () => ObjectStore }[] = [
  { name: "the memory store", open: () => createMemoryStore() },
  { name: "SQLite", open: () => openSqliteFile().store },
];

export function openSqliteFile(): { readonly path: string; readonly store: SqliteObjectStore } {
  const folder = mkdtempSync(join(tmpdir(), "cm-session-"));
  const path = join(folder, "cm.db");
  const store = openSqliteStore({ path, synchronous: "normal" });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { path, store };
}
