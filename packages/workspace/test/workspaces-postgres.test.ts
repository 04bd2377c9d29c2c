// @module-tag process
// Verifies: the rules of workspaces that a store can break, in a campaign all of them, on a real Postgres.
import { withPostgres } from "@cm/private-postgres/vitest";
import { openPostgresStore } from "@cm/store-postgres";
import { it } from "vitest";
import { withWorkspaceTypes } from "../src/index.ts";
import { serverLaws, worldOf } from "./support/workspace-laws.ts";

withPostgres("on Postgres", (postgres) => {
  it.each(serverLaws.map((law, place) => [law.title, law, place] as const))("%s", async (_title, law, place) => {
    const setting = { url: postgres.url, schema: `workspace_${place}`, connections: 4 };
    const records = await openPostgresStore({ ...setting, types: withWorkspaceTypes() });
    await law.run(worldOf({ records, place: "server" }));
    await records.close();
  });
});
