interface Shared {
  readonly value: Promise<unknown>;
  users: number;
}

/** Every project of a run loads its `globalSetup` anew: what they share is kept by the process. */
const kept = globalThis as { cmSharedByRun?: Map<string, Shared> };

/**
 * What the projects of one run of vitest share: the first that asks starts it, and it ends when the last one leaves.
 * @returns it, and the call by which a project leaves it
 */
export async function sharedByRun<Value>(
  name: string,
  start: () => Promise<Value>,
  end: (value: Value) => Promise<void>,
): Promise<{ readonly value: Value; readonly leave: () => Promise<void> }> {
  kept.cmSharedByRun ??= new Map();
  const all = kept.cmSharedByRun;
  const shared = all.get(name) ?? { value: start(), users: 0 };
  all.set(name, shared);
  shared.users += 1;
  const value = (await shared.value) as Value;
  const leave = async (): Promise<void> => {
    shared.users -= 1;
    if (shared.users > 0) return;
    all.delete(name);
    await end(value);
  };
  return { value, leave };
}
