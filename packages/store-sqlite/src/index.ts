export { type CompactOptions, type CompactReceipt, compactSqliteStore } from "./compact.ts";
export { openSqliteStore, type SqliteObjectStore, type SqliteStoreOptions } from "./open-store.ts";
export { openStateCache, type StateCacheOptions } from "./state-cache.ts";
