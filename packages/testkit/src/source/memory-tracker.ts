import { setImmediate as nextTurn } from "node:timers/promises";
import { type Tracked, type Tracker, watchedState } from "@cm/object-model";
import type { MemoryBinding } from "./memory-binding.ts";
import type { MemoryWorld } from "./memory-world.ts";

/** Hints come in a later turn than the change, as those of a real watcher do. */
export function createMemoryTracker(
  world: MemoryWorld,
  onHint: (binding: MemoryBinding) => void,
): Tracker<MemoryBinding> {
  const followed = new Map<string, Tracked<MemoryBinding>>();
  const hinting = new Set<Promise<void>>();
  let stop = () => {};
  let closed = false;

  const hint = async (path: string): Promise<void> => {
    await nextTurn();
    const tracked = followed.get(keyOf({ world: world.name, path }));
    if (!closed && tracked !== undefined) onHint(tracked.binding);
  };
  const onChange = (path: string): void => {
    const one = hint(path).finally(() => hinting.delete(one));
    hinting.add(one);
  };
  const orphanAll = (reason: string): void => {
    for (const [key, { binding }] of followed) followed.set(key, { binding, state: "orphaned", reason });
  };

  return {
    async follow(bindings) {
      if (closed) return;
      stop();
      stop = world.listen(onChange, () => orphanAll("the memory world is out of reach"));
      for (const binding of bindings) followed.set(keyOf(binding), { binding, ...nextState(world, binding, followed) });
    },
    states: () => [...followed.values()].map((tracked) => ({ ...tracked })),
    async settled() {
      await Promise.all(hinting);
    },
    async close() {
      closed = true;
      stop();
      orphanAll("the tracker is closed");
    },
  };
}

function nextState(
  world: MemoryWorld,
  binding: MemoryBinding,
  followed: ReadonlyMap<string, Tracked>,
): Omit<Tracked, "binding"> {
  if (binding.world !== world.name) return { state: "orphaned", reason: "there is no such memory world" };
  if (!world.inReach) return { state: "orphaned", reason: "the memory world is out of reach" };
  return { state: watchedState(followed.get(keyOf(binding))?.state ?? "unchecked") };
}

function keyOf({ world, path }: Pick<MemoryBinding, "world" | "path">): string {
  return JSON.stringify([world, path]);
}
