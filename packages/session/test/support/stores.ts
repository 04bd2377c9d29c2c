import type { CommitOptions, CommitReceipt, ObjectStore, Write } from "@cm/object-model";

export type Method = "getMany" | "commit" | "history" | "find" | "erase";

/** Runs before and after each call of a store; what it throws is what the caller gets. */
export interface Interception {
  before?(method: Method, args: readonly unknown[]): void | Promise<void>;
  after?(method: Method, args: readonly unknown[]): void | Promise<void>;
}

/** A store behind a gate. */
export function intercepted(store: ObjectStore, { before, after }: Interception): ObjectStore {
  const around = async <T>(method: Method, args: readonly unknown[], call: () => Promise<T>): Promise<T> => {
    await before?.(method, args);
    const result = await call();
    await after?.(method, args);
    return result;
  };
  return {
    contract: "object-store/1",
    getMany: (ids, asOf) => around("getMany", [ids, asOf], () => store.getMany(ids, asOf)),
    commit: (writes, options) => around("commit", [writes, options], () => store.commit(writes, options)),
    history: (id, page) => around("history", [id, page], () => store.history(id, page)),
    find: (filter, page) => around("find", [filter, page], () => store.find(filter, page)),
    erase: (ids, reason) => around("erase", [ids, reason], () => store.erase(ids, reason)),
  };
}

export interface RecordedCommit {
  readonly writes: readonly Write[];
  readonly options: CommitOptions | undefined;
  readonly receipt: CommitReceipt;
}

/** A store that keeps a list of the commits that succeeded. */
export function recording(store: ObjectStore): { readonly store: ObjectStore; readonly commits: RecordedCommit[] } {
  const commits: RecordedCommit[] = [];
  return {
    commits,
    store: {
      ...intercepted(store, {}),
      async commit(writes, options) {
        const receipt = await store.commit(writes, options);
        commits.push({ writes, options, receipt });
        return receipt;
      },
    },
  };
}

/** All versions of all objects of some sessions, and of all files, by id, through the contract alone. */
export async function everythingIn(
  store: ObjectStore,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const filters = [...sessions.map((session) => ({ session })), { type: "file" }, { type: "attachment" }];
  const objects = new Map<string, string>();
  for (const filter of filters) {
    let cursor: string | undefined;
    do {
      const page = await store.find(filter, cursor === undefined ? {} : { cursor });
      for (const { id } of page.versions) objects.set(id, JSON.stringify(await store.history(id, { documents: true })));
      cursor = page.next;
    } while (cursor !== undefined);
  }
  return objects;
}
