import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { describe } from "vitest";
import { type Lineage, lineageTypes } from "../../src/index.ts";
import { World } from "./world.ts";

export type Use = (work: (world: World) => Promise<void>) => Promise<void>;

/** A test's work with what a process opens on a new store. */
export const onLineage =
  (use: Use, options?: Parameters<World["open"]>[0]) =>
  (work: (lineage: Lineage, world: World) => Promise<void>) =>
  () =>
    use(async (world) => work(await world.open(options), world));

/** Tests on stores of one kind. `use` gives a new, empty one and takes it away after the work. */
export type OnStores = (title: string, tests: (use: Use) => void) => void;
/** A new, empty store. */
export type Opened = { readonly store: ObjectStore; readonly end: () => Promise<void> };

export const onMemory: OnStores = (title, tests) => {
  describe(title, () => tests((work) => within(inMemory(), work)));
};

export const onSqlite: OnStores = (title, tests) => {
  describe(title, () => tests((work) => within(inFile(), work)));
};

export async function within(opening: Promise<Opened>, work: (world: World) => Promise<void>): Promise<void> {
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
