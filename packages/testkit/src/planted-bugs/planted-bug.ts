import { createMemoryStore, type ListedVersion, type ObjectStore, type StoredVersion } from "@cm/object-model";
import { type Definitions, lawful } from "../model/definitions.ts";
import { createModelStore } from "../model/model-store.ts";
import type { StoreFactory, StoreSetting } from "../object-store/store-case.ts";

/** A store with one fault, and the cases that are meant to find it. */
export interface PlantedBug {
  /** What the store does wrong. */
  readonly name: string;
  readonly caughtBy: readonly string[];
  readonly open: StoreFactory;
}

type Alteration = (inner: ObjectStore, setting: StoreSetting) => Partial<ObjectStore>;

/** The memory store with some of its methods replaced. */
export function altered(name: string, caughtBy: readonly string[], alter: Alteration): PlantedBug {
  const open: StoreFactory = async (setting) => {
    const inner = createMemoryStore(setting);
    return { ...whole(inner), ...alter(inner, setting) };
  };
  return { name, caughtBy, open };
}

/** The model with one definition replaced. */
export function redefined(
  name: string,
  caughtBy: readonly string[],
  change: (law: Definitions) => Partial<Definitions>,
): PlantedBug {
  return { name, caughtBy, open: async (setting) => createModelStore(setting, change(lawful)) };
}

function whole(inner: ObjectStore): ObjectStore {
  return {
    contract: inner.contract,
    getMany: (ids, at) => inner.getMany(ids, at),
    commit: (writes, options) => inner.commit(writes, options),
    history: (id, page) => inner.history(id, page),
    find: (filter, page) => inner.find(filter, page),
    erase: (ids, reason) => inner.erase(ids, reason),
    close: async () => inner.close?.(),
  };
}

type Distort = <V extends StoredVersion | ListedVersion>(version: V) => V;

/** All three reads, with every version distorted on its way out. */
export function distorted(inner: ObjectStore, distort: Distort): Pick<ObjectStore, "getMany" | "history" | "find"> {
  return {
    async getMany(ids, at) {
      const found = await inner.getMany(ids, at);
      return new Map([...found].map(([id, version]) => [id, distort(version)]));
    },
    async history(id, page) {
      const answer = await inner.history(id, page);
      return { ...answer, versions: answer.versions.map(distort) };
    },
    async find(filter, page) {
      const answer = await inner.find(filter, page);
      return { ...answer, versions: answer.versions.map(distort) };
    },
  };
}
