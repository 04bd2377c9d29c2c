// @module-tag process
// @module-tag long
// Verifies: object-store/1, on a real Postgres.
import { compareWithModel, objectStoreSuite } from "@cm/testkit";
import { it } from "vitest";
import { withPostgres } from "./support/on-postgres.ts";
import { campaign, runSeed } from "./support/random.ts";

withPostgres("the Postgres store fulfils object-store/1", ({ factory }) => {
  for (const { id, clause, title, run } of objectStoreSuite.cases) {
    it(`${id} (${clause}) ${title}`, () => run(factory, { timeoutMs: 590_000 }));
  }

  it("answers as the model", async () => {
    const commands = Number(process.env.CM_COMMANDS ?? (campaign ? 3_000 : 150));
    const { seed } = runSeed("answers as the model");
    await compareWithModel({ open: factory, seed, commands });
  });
});
