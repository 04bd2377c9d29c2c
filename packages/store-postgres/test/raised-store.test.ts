// @module-tag process
// @module-tag long
// Verifies: object-store/1, on stores that schema version 1 made and this version raised.
import { compareWithModel } from "@cm/testkit";
import { it } from "vitest";
import { casesElsewhere } from "./support/cases.ts";
import { makeVersion1 } from "./support/older-store.ts";
import { freshSchema, withPostgres } from "./support/on-postgres.ts";
import { campaign, runSeed } from "./support/random.ts";

withPostgres("a raised store fulfils object-store/1", (postgres) => {
  const open: typeof postgres.factory = async (setting) => {
    const schema = freshSchema();
    await makeVersion1(postgres.url, schema);
    return postgres.open({ ...setting, schema });
  };

  // A raise touches neither locks nor the columns of plain filters: a campaign has their cases, too.
  const cases = casesElsewhere.filter(({ id }) => campaign || /^OS-(?:03|08[569]|09|16|18)/.test(id));
  for (const { id, clause, title, run } of cases) {
    it(`${id} (${clause}) ${title}`, () => run(open, { timeoutMs: 590_000 }));
  }

  it("answers as the model when raised", async () => {
    const { seed } = runSeed("answers as the model when raised");
    await compareWithModel({ open, seed, commands: campaign ? 3_000 : 150 });
  });
});
