export { openSqliteStore, type SqliteObjectStore, type SqliteStoreOptions } from "./open-store.ts";
export { openStateCache, type StateCacheOptions } from "./state-cache.ts";
