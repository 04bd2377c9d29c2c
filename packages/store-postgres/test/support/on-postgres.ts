import {
  type OwnPostgres,
  type TestDatabase,
  withPostgres as withDatabase,
  withOwnPostgres as withServer,
} from "@cm/private-postgres/vitest";
import type { StoreFactory } from "@cm/testkit";
import { openPostgresStore, type PostgresStoreOptions } from "../../src/index.ts";

let schemas = 0;

/** A name of a store that no other test has: roles are made of it, and those are the server's. */
export function freshSchema(): string {
  schemas += 1;
  return `s${process.pid}_${schemas}`;
}

/** Opens stores on the Postgres of the tests, each in a schema of its own unless one is given. */
export interface Stores {
  readonly url: string;
  readonly open: (options?: Partial<PostgresStoreOptions>) => ReturnType<typeof openPostgresStore>;
  readonly factory: StoreFactory;
}

function storesOn(postgres: TestDatabase): Stores {
  const open: Stores["open"] = (options) =>
    openPostgresStore({ url: postgres.url, schema: freshSchema(), connections: 4, ...options });
  return {
    get url() {
      return postgres.url;
    },
    open,
    factory: (setting) => open(setting),
  };
}

/** Tests with a database of their own; skipped by name where there is no Postgres. */
export const withPostgres = (title: string, tests: (stores: Stores) => void): void =>
  withDatabase(title, (postgres) => tests(storesOn(postgres)));

/** The same with a server of their own, which they may end. */
export const withOwnPostgres = (title: string, tests: (stores: Stores, own: OwnPostgres) => void): void =>
  withServer(
    title,
    (own) => tests(storesOn(own), own),
    () => ({ settings: ["max_connections=200"] }),
  );
