export { openSqliteStore, type SqliteObjectStore, type SqliteStoreOptions } from "./open-store.ts";
