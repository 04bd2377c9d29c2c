import type { StateStore } from "./contract.ts";
import { stateStoreOver } from "./run-blobs.ts";

/** States in memory: for tests and for what ends with the process. */
export function createMemoryStateStore(): StateStore {
  const texts = new Map<string, string>();
  return stateStoreOver({
    async put(key, text) {
      texts.set(key, text);
    },
    get: async (key) => texts.get(key),
    async remove(keys) {
      for (const key of keys) texts.delete(key);
    },
  });
}
