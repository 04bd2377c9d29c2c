// @module-tag process
// @module-tag long
// Verifies: object-store/1 behind PgBouncer in transaction mode, where two statements may run on two connections.
import { findPgBouncer, findPostgres, type PrivatePgBouncer, startPgBouncer } from "@cm/private-postgres";
import { objectStoreSuite } from "@cm/testkit";
import { afterAll, beforeAll, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { withOwnPostgres } from "./support/on-postgres.ts";

requirement("Postgres and PgBouncer", () => findPostgres() !== undefined && findPgBouncer() !== undefined)(
  "a store behind PgBouncer",
  () => {
    withOwnPostgres("in transaction mode", (postgres, own) => {
      let bouncer: PrivatePgBouncer | undefined;
      beforeAll(async () => {
        bouncer = await startPgBouncer(own.server);
      });
      afterAll(async () => bouncer?.stop());

      for (const { id, clause, title, run } of objectStoreSuite.cases) {
        it(`${id} (${clause}) ${title}`, () =>
          run((setting) => postgres.open({ ...setting, url: bouncer?.url ?? "" }), { timeoutMs: 590_000 }));
      }
    });
  },
);
