export {
  migratePostgresStore,
  openPostgresStore,
  type PostgresConnectionOptions,
  type PostgresObjectStore,
  type PostgresStoreOptions,
} from "./open-store.ts";
