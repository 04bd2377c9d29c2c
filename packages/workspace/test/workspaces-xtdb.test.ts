// @module-tag xtdb
// Verifies: the rules of workspaces that a store can break, in a campaign all of them, on a live node.
import { it } from "vitest";
import { withNode } from "./support/live-node.ts";
import { serverLaws, worldOf } from "./support/workspace-laws.ts";

withNode("on XTDB", (openStore) => {
  it.each(serverLaws.map((law) => [law.title, law] as const))("%s", async (_title, law) => {
    await law.run(worldOf({ records: openStore(), place: "server" }));
  });
});
