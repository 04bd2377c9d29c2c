// @module-tag process
// Verifies: the rules of workspaces, on a real Postgres.
import { withPostgres } from "@cm/private-postgres/vitest";
import { openPostgresStore } from "@cm/store-postgres";
import { it } from "vitest";
import { withWorkspaceTypes } from "../src/index.ts";
import { workspaceLaws, worldOf } from "./support/workspace-laws.ts";

withPostgres("on Postgres", (postgres) => {
  it.each(workspaceLaws.map((law, place) => [law.title, law, place] as const))("%s", async (_title, law, place) => {
    const setting = { url: postgres.url, schema: `workspace_${place}`, connections: 4 };
    const records = await openPostgresStore({ ...setting, types: withWorkspaceTypes() });
    await law.run(worldOf({ records }));
    await records.close();
  });
});
