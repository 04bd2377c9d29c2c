import { findPostgres, type PrivatePostgres, startPrivatePostgres } from "@cm/private-postgres";
import type { StoreFactory } from "@cm/testkit";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { openPostgresStore, type PostgresStoreOptions } from "../../src/index.ts";

let schemas = 0;

/** A name of a store that no other test of this process has. */
export function freshSchema(): string {
  schemas += 1;
  return `s${process.pid}_${schemas}`;
}

export interface OwnPostgres {
  readonly server: PrivatePostgres;
  readonly url: string;
  readonly open: (options?: Partial<PostgresStoreOptions>) => ReturnType<typeof openPostgresStore>;
  /** For suites: every store in a schema of its own. */
  readonly factory: StoreFactory;
}

/** Tests with a Postgres of the file's own; skipped by name where there is none. */
export function withPostgres(title: string, tests: (postgres: OwnPostgres) => void): void {
  requirement("Postgres", () => findPostgres() !== undefined)(title, () => {
    let server: PrivatePostgres | undefined;
    beforeAll(async () => {
      server = await startPrivatePostgres({ settings: ["max_connections=200"] });
    });
    afterAll(async () => server?.stop());
    const open: OwnPostgres["open"] = (options) =>
      openPostgresStore({ url: server?.url ?? "", schema: freshSchema(), connections: 4, ...options });
    tests({
      get server() {
        if (server === undefined) throw new TypeError("Postgres runs during tests only");
        return server;
      },
      get url() {
        return this.server.url;
      },
      open,
      factory: (setting) => open(setting),
    });
  });
}
