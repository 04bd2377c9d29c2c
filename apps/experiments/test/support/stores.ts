import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { startNode, whatIsMissing } from "@cm/xtdb-node";
import { afterAll, beforeAll, describe } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { inFolder } from "./command.ts";
import type { SharedStore, StoreKind } from "./open-shared.ts";

/** Tests on a store of one kind. `use` hands out a new, empty one, and takes it away after the work. */
export function withSharedStore(
  kind: StoreKind,
  title: string,
  tests: (use: (work: (shared: SharedStore) => Promise<void>) => Promise<void>) => void,
): void {
  if (kind === "SQLite") {
    describe(title, () => tests((work) => inFolder((folder) => work({ kind, where: join(folder, "shared.sqlite") }))));
    return;
  }
  requirement(whatIsMissing() ?? "an XTDB node", () => whatIsMissing() === undefined)(title, () => {
    let node: Awaited<ReturnType<typeof startNode>> | undefined;
    beforeAll(async () => {
      node = await startNode({ quick: true });
    });
    afterAll(() => node?.stop());
    tests((work) => work({ kind, where: `${node?.url} test-${randomUUID()}` }));
  });
}
