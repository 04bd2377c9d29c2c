export { findPgBouncer, type PrivatePgBouncer, startPgBouncer } from "./start-pgbouncer.ts";
export {
  findPostgres,
  type PostgresOptions,
  type PrivatePostgres,
  type PrivateStandby,
  type StandbyOptions,
  startPrivatePostgres,
} from "./start-postgres.ts";
export { unprivileged } from "./unprivileged.ts";
