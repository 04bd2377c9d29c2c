export { openXtdbStore, type XtdbObjectStore, type XtdbStoreOptions } from "./open-store.ts";
