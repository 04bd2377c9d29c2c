import { isCmError, type ObjectStore } from "@cm/object-model";
import { importBundle, type OpenBundle } from "../../src/index.ts";

export interface Attempt {
  /** The code of a refusal; `imported` and the like where there was none; the error itself where it is no refusal. */
  readonly said: unknown;
  readonly line: unknown;
  readonly message: string;
}

/** Tries an import, and tells a refusal from a crash. */
export async function attempt(store: ObjectStore, open: OpenBundle): Promise<Attempt> {
  try {
    const { outcome } = await importBundle(store, open);
    return { said: outcome, line: undefined, message: "" };
  } catch (error) {
    if (!isCmError(error) || !error.code.startsWith("bundle/")) return { said: error, line: undefined, message: "" };
    return { said: error.code, line: error.data.line, message: error.message };
  }
}

/** A store that counts what is written to it. */
export function counting(store: ObjectStore): { readonly store: ObjectStore; readonly commits: () => number } {
  let commits = 0;
  return {
    commits: () => commits,
    store: {
      contract: "object-store/1",
      getMany: (ids, asOf) => store.getMany(ids, asOf),
      history: (id, page) => store.history(id, page),
      find: (filter, page) => store.find(filter, page),
      erase: (ids, reason) => store.erase(ids, reason),
      commit: (writes, options) => {
        commits += 1;
        return store.commit(writes, options);
      },
    },
  };
}
