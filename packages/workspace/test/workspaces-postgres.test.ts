// @module-tag process
// Verifies: the rules of workspaces, on a real Postgres.
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from "@cm/private-postgres";
import { openPostgresStore } from "@cm/store-postgres";
import { afterAll, beforeAll, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { withWorkspaceTypes } from "../src/index.ts";
import { workspaceLaws, worldOf } from "./support/workspace-laws.ts";

requirement("Postgres", () => findPostgres() !== undefined)("on Postgres", () => {
  let server: PrivatePostgres | undefined;
  beforeAll(async () => {
    server = await startPrivatePostgres();
  });
  afterAll(() => server?.stop());

  it.each(workspaceLaws.map((law, place) => [law.title, law, place] as const))("%s", async (_title, law, place) => {
    const setting = { url: server?.url ?? "", schema: `workspace_${place}`, connections: 4 };
    const records = await openPostgresStore({ ...setting, types: withWorkspaceTypes() });
    await law.run(worldOf({ records }));
    await records.close();
  });
});
