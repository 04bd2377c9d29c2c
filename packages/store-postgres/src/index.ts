export type { Grant, Permission } from "./grants.ts";
export {
  migratePostgresStore,
  openPostgresStore,
  type PostgresConnectionOptions,
  type PostgresStoreOptions,
  postgresStoreAt,
} from "./open-store.ts";
export type { PostgresObjectStore } from "./postgres-store.ts";
