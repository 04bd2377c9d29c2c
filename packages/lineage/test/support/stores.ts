import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { openXtdbStore } from "@cm/store-xtdb";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll, describe } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { lineageTypes } from "../../src/index.ts";
import { World } from "./world.ts";

export type StoreKind = "memory" | "SQLite" | "XTDB";
export type Use = (work: (world: World) => Promise<void>) => Promise<void>;

type Opened = { readonly store: ObjectStore; readonly end: () => Promise<void> };

/** The tests on stores of one kind. `use` gives a new, empty one and takes it away after the work. */
export function onStores(kind: StoreKind, title: string, tests: (use: Use) => void): void {
  if (kind !== "XTDB") {
    describe(title, () => tests((work) => within(kind === "memory" ? inMemory() : inFile(), work)));
    return;
  }
  requirement(whatIsMissing() ?? "an XTDB node", () => whatIsMissing() === undefined)(title, () => {
    let node: XtdbNode | undefined;
    beforeAll(async () => {
      node = await startNode({ quick: true });
    }, 120_000);
    afterAll(() => node?.stop());
    tests((work) => within(onNode(node?.url ?? ""), work));
  });
}

async function within(opening: Promise<Opened>, work: (world: World) => Promise<void>): Promise<void> {
  const { store, end } = await opening;
  try {
    await work(new World(store));
  } finally {
    await store.close?.();
    await end();
  }
}

const inMemory = async (): Promise<Opened> => ({
  store: createMemoryStore({ types: lineageTypes }),
  end: async () => {},
});

async function inFile(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), "cm-lineage-"));
  const store = openSqliteStore({ path: join(folder, "store.db"), types: lineageTypes, synchronous: "normal" });
  return { store, end: () => rm(folder, { recursive: true, force: true }) };
}

async function onNode(url: string): Promise<Opened> {
  const store = openXtdbStore({ urls: [url], namespace: `test-${randomUUID()}`, types: lineageTypes });
  return { store, end: async () => {} };
}
