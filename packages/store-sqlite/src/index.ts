export { type CompactOptions, type CompactReceipt, compactSqliteStore } from "./compact.ts";
export { isDamagedStore } from "./errors.ts";
export { openSqliteStore, type SqliteObjectStore, type SqliteStoreOptions } from "./open-store.ts";
export { type RecoverOptions, type RecoverReceipt, recoverSqliteStore } from "./recover.ts";
export { openStateCache, type StateCacheOptions } from "./state-cache.ts";
export { openSqliteStoreInThread } from "./thread/open-in-thread.ts";
export type { ThreadedSqliteStore } from "./thread/threaded-store.ts";
