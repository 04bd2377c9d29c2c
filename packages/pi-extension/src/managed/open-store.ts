import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { CmError, defined, isInfrastructureId, type ObjectStore, type StateCache } from "@cm/object-model";
import { openSqliteStoreInThread } from "@cm/store-sqlite";
import { createWriteBehindStore, type WriteBehindState } from "@cm/write-behind";
import { limits } from "../limits.ts";
import { keepPrivate } from "../own-files/keep-private.ts";
import { stateCacheFile, withSidecars } from "../own-files/own-files.ts";
import type { StoreSetting } from "../settings/settings.ts";
import { watchFile } from "./file-watch.ts";

/** A store as the extension uses it, and what can be said of it at any time. */
export interface OpenedStore {
  readonly store: ObjectStore;
  /** The cache of file states between processes, if there is a place for it. */
  readonly stateCache?: StateCache;
  /** What it has not written yet, and why. */
  state(): StoreState;
  /** False where its file was deleted or replaced: SQLite continues with the old one, which has no path any more. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

/** Whom a store tells. */
export interface StoreWatch {
  /** What was kept in memory can no longer be written as it is. */
  onBroken(): void;
  /** The state may be another one. */
  onChanged(): void;
}

export interface StoreState {
  /** Commits that are kept in memory. */
  readonly queued: number;
  /** Present while the database does not answer. */
  readonly reason?: string;
}

/**
 * Opens the database, with a queue before it: commits that it does not answer in time are kept in memory and written
 * later.
 * @throws CmError `store/unavailable`, `store/corrupt`
 */
export async function openStore(setting: StoreSetting, watch: StoreWatch): Promise<OpenedStore> {
  const opened = await openAt(setting);
  const { onBroken, onChanged } = watch;
  const store = createWriteBehindStore(opened.store, {
    ...{ deadlineMs: limits.storeMs, queueBytesMax: limits.queueCharsMax, assumeAbsent: isOurs, onBroken },
  });
  store.onChange(onChanged);
  return {
    ...opened,
    store,
    state: () => stateOf(store.state),
    async close() {
      await store.flush(limits.closeMs);
      await store.close();
    },
  };
}

/** Tool calls, files and steps: where it is unknown whether one exists, a session may go on as if it were not. */
const isOurs = (id: string): boolean => !isInfrastructureId(id) || id.startsWith("step:");

function stateOf({ attached, queuedCommits: queued, reason = "It does not answer." }: WriteBehindState): StoreState {
  return attached ? { queued } : { queued, reason };
}

type Opened = Pick<OpenedStore, "store" | "stateCache" | "isThere">;

function openAt(setting: StoreSetting): Promise<Opened> {
  if (setting.kind === "sqlite") return openSqlite(setting.path);
  return setting.kind === "postgres" ? openPostgres(setting) : openXtdb(setting);
}

async function openSqlite(path: string): Promise<Opened> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Objects hold what files and tools said: only their owner may read them. SQLite takes an empty file for a new one,
    // and makes those beside it with the same modes.
    closeSync(openSync(path, "a", 0o600));
    keepPrivate([path, stateCacheFile(path)].flatMap(withSidecars).map((each) => ({ path: each, kind: "file" })));
  } catch (error) {
    throw new CmError("store/unavailable", `The file ${path} cannot be made or written to.`, {}, { cause: error });
  }
  const isThere = await watchFile(path);
  const store = await openSqliteStoreInThread({ path });
  try {
    const stateCache = await store.openStateCache({ path: stateCacheFile(path) });
    return { store, stateCache, isThere };
  } catch {
    // Without it files are read again, and nothing else is lost.
    return { store, isThere };
  }
}

async function openXtdb({ urls, token, namespace }: Extract<StoreSetting, { kind: "xtdb" }>): Promise<Opened> {
  // Loaded only here: its HTTP client takes longer to load than all else together.
  const { openXtdbStore } = await import("@cm/store-xtdb");
  const store = openXtdbStore({ urls, namespace, ...defined({ token }) });
  return { store, isThere: async () => true };
}

async function openPostgres({ url, schema }: Extract<StoreSetting, { kind: "postgres" }>): Promise<Opened> {
  // Loaded only here, as few need it.
  const { postgresStoreAt } = await import("@cm/store-postgres");
  return { store: postgresStoreAt({ url, ...defined({ schema }) }), isThere: async () => true };
}
