// @module-tag process
// @module-tag long
// Verifies: object-store/1 behind PgBouncer in transaction mode, where two statements may run on two connections.
import { findPgBouncer, findPostgres, type PrivatePgBouncer, startPgBouncer } from "@cm/private-postgres";
import { compareWithModel } from "@cm/testkit";
import { afterAll, beforeAll, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { casesElsewhere } from "./support/cases.ts";
import { withOwnPostgres } from "./support/on-postgres.ts";
import { campaign, runSeed } from "./support/random.ts";

requirement("Postgres and PgBouncer", () => findPostgres() !== undefined && findPgBouncer() !== undefined)(
  "a store behind PgBouncer",
  () => {
    withOwnPostgres("in transaction mode", (postgres, own) => {
      let bouncer: PrivatePgBouncer | undefined;
      beforeAll(async () => {
        bouncer = await startPgBouncer(own.server);
      });
      afterAll(async () => bouncer?.stop());

      const open: typeof postgres.factory = (setting) => postgres.open({ ...setting, url: bouncer?.url ?? "" });
      for (const { id, clause, title, run } of casesElsewhere) {
        it(`${id} (${clause}) ${title}`, () => run(open, { timeoutMs: 590_000 }));
      }

      it("answers as the model behind it", async () => {
        const { seed } = runSeed("answers as the model behind it");
        await compareWithModel({ open, seed, commands: campaign ? 3_000 : 150 });
      });
    });
  },
);
