import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { ObjectStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { openXtdbStore } from "@cm/store-xtdb";
import { startNode, whatIsMissing } from "@cm/xtdb-node";
import { afterAll, beforeAll, describe } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { inFolder } from "./command.ts";

export type StoreKind = "SQLite" | "XTDB";

/** A store that several processes open: where it is, in words that fit on a command line. */
export interface SharedStore {
  readonly kind: StoreKind;
  readonly where: string;
}

export function openShared({ kind, where }: SharedStore): ObjectStore & { close(): Promise<void> } {
  if (kind === "SQLite") return openSqliteStore({ path: where });
  const [url = "", namespace = ""] = where.split(" ");
  return openXtdbStore({ urls: [url], namespace });
}

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
    }, 120_000);
    afterAll(() => node?.stop());
    tests((work) => work({ kind, where: `${node?.url} test-${randomUUID()}` }));
  });
}
