import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { createDatabase } from "../src/create-database.ts";
import {
  findPostgres,
  type PostgresOptions,
  type PrivatePostgres,
  startPrivatePostgres,
} from "../src/start-postgres.ts";
import type {} from "./setup.ts";

export interface TestDatabase {
  /** `postgres://cm@127.0.0.1:PORT/DATABASE`; asks for no password. It is known while tests run. */
  readonly url: string;
}

export interface OwnPostgres extends TestDatabase {
  readonly server: PrivatePostgres;
}

const withPrograms = requirement.bind(undefined, "Postgres", () => findPostgres() !== undefined);

/**
 * Tests with an empty database of their own, on the server that all files of the run share; skipped by name where there is
 * no Postgres. Roles and the list of connections are the server's, so tests name their own.
 */
export function withPostgres(title: string, tests: (postgres: TestDatabase) => void): void {
  withPrograms()(title, () => {
    let url: string | undefined;
    beforeAll(async () => {
      const shared = inject("sharedPostgresUrl");
      if (shared === undefined) throw new TypeError("vitest.config.ts of this project lacks postgresSetup.");
      url = await createDatabase(shared, `t_${randomUUID().replaceAll("-", "")}`);
    });
    tests({
      get url() {
        return running(url);
      },
    });
  });
}

/** Tests with a server of their own: they stop it, kill it, fill its disk or change its settings. */
export function withOwnPostgres(
  title: string,
  tests: (postgres: OwnPostgres) => void,
  options: () => PostgresOptions = () => ({}),
): void {
  withPrograms()(title, () => {
    let server: PrivatePostgres | undefined;
    beforeAll(async () => {
      server = await startPrivatePostgres(options());
    });
    afterAll(() => server?.stop());
    tests({
      get server() {
        return running(server);
      },
      get url() {
        return this.server.url;
      },
    });
  });
}

function running<T>(there: T | undefined): T {
  if (there === undefined) throw new TypeError("Postgres runs during tests only.");
  return there;
}
