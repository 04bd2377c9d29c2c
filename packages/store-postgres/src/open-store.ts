import { coreDocumentTypes, type DocumentTypes, isCmError } from "@cm/object-model";
import { ChangeHints } from "./change-hints.ts";
import { addressOf, type StoreAddress } from "./connection-options.ts";
import { Database } from "./database.ts";
import { storeError } from "./errors.ts";
import type { Grant } from "./grants.ts";
import { storeLimits } from "./limits.ts";
import { migrate, schemaVersion } from "./migrate.ts";
import { type PostgresObjectStore, PostgresStore } from "./postgres-store.ts";
import { newestVersion } from "./schema/migrations.ts";

export interface PostgresConnectionOptions {
  /**
   * `postgres://USER@HOST:PORT/DATABASE`, with the parameters of the client `pg`, such as `sslmode=verify-full`. The
   * password may stand there, in PGPASSWORD or in ~/.pgpass.
   */
  readonly url: string;
  /** The Postgres schema that has the store's tables. Default: `schema` of the URL, else `cm`. */
  readonly schema?: string;
}

export interface PostgresStoreOptions extends PostgresConnectionOptions {
  /** The object types to accept; default: the core types. */
  readonly types?: DocumentTypes;
  /** A clock in place of the server's, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long a call may take, in ms. Default: 30,000. */
  readonly deadlineMs?: number;
  /** The most connections at a time. Default: 8. */
  readonly connections?: number;
  /** `false`: the store must be there and stays as it is. Default: it is made, and brought to the newest schema version where the role may. */
  readonly migrate?: boolean;
}

/**
 * Opens a store, and makes it where it is missing.
 * @throws CmError `store/unavailable` for an address that cannot be used, a server that does not answer in 10 s, a role that
 *   may not, a newer schema version; `store/limit`
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresObjectStore> {
  const store = storeAt(options);
  try {
    await store.prepare();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * The same for a client that starts while the server may be away: the first call connects, and each does until one could.
 * @throws CmError `store/unavailable` for an address that cannot be read, `store/limit`
 */
export const postgresStoreAt = (options: PostgresStoreOptions): PostgresObjectStore => storeAt(options);

function storeAt(options: PostgresStoreOptions): PostgresStore {
  const address = addressOf(options.url, options.schema);
  const { types = coreDocumentTypes, now } = options;
  const database = databaseAt(address, options);
  const prepare = async (): Promise<void> => {
    const deadlineMs = Math.min(database.deadlineMs, storeLimits.connectMs);
    const version = await schemaVersion(database, { name: address.schema, deadlineMs });
    if (version === 0) await make(database, address, options);
    else if (version < newestVersion() && options.migrate !== false) await raiseIfAllowed(database, address);
  };
  return new PostgresStore(database, {
    types,
    now,
    shown: address.shown,
    hints: new ChangeHints(database, address),
    prepare,
  });
}

/**
 * Makes a store, or brings it to the newest schema version, as a role that owns it, and says what other roles may.
 * @throws CmError `store/unavailable`
 */
export async function migratePostgresStore(
  options: PostgresConnectionOptions & { readonly grants?: readonly Grant[] },
): Promise<void> {
  const address = addressOf(options.url, options.schema);
  const database = databaseAt(address, {});
  try {
    await schemaVersion(database, { name: address.schema, deadlineMs: storeLimits.connectMs });
    await migrate(database, address.schema, { grants: options.grants ?? [] });
  } finally {
    await database.close();
  }
}

export function databaseAt(
  address: StoreAddress,
  { deadlineMs = storeLimits.deadlineMs, connections = storeLimits.connections }: Partial<PostgresStoreOptions>,
): Database {
  checkBound("deadlineMsMax", deadlineMs);
  checkBound("connectionsMax", connections);
  return new Database({ address, connections, deadlineMs });
}

async function make(database: Database, { schema }: StoreAddress, options: PostgresStoreOptions): Promise<void> {
  if (options.migrate !== false) return migrate(database, schema);
  const advice = "make it with a role that may: cm upgrade, or migratePostgresStore";
  throw storeError("store/unavailable", `The store "${schema}" is not there; ${advice}.`, { schema });
}

/**
 * An older store answers the same calls, so a role that does not own it leaves it for its owner to raise, and who opens it on a
 * standby for one that opens it where it is written.
 */
async function raiseIfAllowed(database: Database, { schema }: StoreAddress): Promise<void> {
  if (await database.isStandby()) return;
  try {
    await migrate(database, schema);
  } catch (error) {
    if (!isCmError(error) || error.data.postgres !== missingRight) throw error;
  }
}

/** SQLSTATE of a role that may not. */
const missingRight = "42501";

function checkBound(limit: "deadlineMsMax" | "connectionsMax", actual: number): void {
  const bound = storeLimits[limit];
  if (Number.isInteger(actual) && actual >= 1 && actual <= bound) return;
  throw storeError("store/limit", `The request passes ${limit}: ${actual} where 1 to ${bound} are allowed.`, {
    limit,
    actual,
    bound,
  });
}
