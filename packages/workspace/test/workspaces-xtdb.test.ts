// @module-tag xtdb
// Verifies: the rules of workspaces, on a live node.
import { it } from "vitest";
import { withNode } from "./support/live-node.ts";
import { workspaceLaws, worldOf } from "./support/workspace-laws.ts";

withNode("on XTDB", (openStore) => {
  it.each(workspaceLaws.map((law) => [law.title, law] as const))("%s", async (_title, law) => {
    await law.run(worldOf({ records: openStore() }));
  });
});
