export type { Grant, Permission } from "./grants.ts";
export {
  migratePostgresStore,
  openPostgresStore,
  type PostgresConnectionOptions,
  type PostgresObjectStore,
  type PostgresStoreOptions,
  postgresStoreAt,
} from "./open-store.ts";
