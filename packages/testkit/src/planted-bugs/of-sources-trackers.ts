import type { Tracker } from "@cm/object-model";
import type { MemoryBinding } from "../source/memory-binding.ts";
import { alteredSource, type PlantedSourceBug, tracking } from "./planted-source-bug.ts";

export const bugsOfSourceTrackers: readonly PlantedSourceBug[] = [
  tracking("What is followed twice is listed twice.", ["SRC-022", "SRC-025"], (open, onHint) => {
    const inner = open(onHint);
    const order: MemoryBinding[] = [];
    return {
      ...inner,
      follow: (bindings) => {
        order.push(...bindings);
        return inner.follow(bindings);
      },
      states: () =>
        order.flatMap(({ path, world }) =>
          inner.states().filter(({ binding }) => binding.path === path && binding.world === world),
        ),
    };
  }),
  tracking("What is followed is listed by its path.", ["SRC-022"], (open, onHint) => {
    const inner = open(onHint);
    return { ...inner, states: () => inner.states().toSorted((a, b) => (a.binding.path < b.binding.path ? -1 : 1)) };
  }),
  tracking("Only what is there is followed.", ["SRC-022", "SRC-023"], (open, onHint, world) => {
    const inner = open(onHint);
    return {
      ...inner,
      follow: (bindings) => inner.follow(bindings.filter(({ path }) => world.thingAt(path) !== undefined)),
    };
  }),
  tracking("The newest list replaces what was followed.", ["SRC-022"], (open, onHint) => {
    const inner = open(onHint);
    let last: readonly MemoryBinding[] = [];
    return {
      ...inner,
      follow: (bindings) => {
        last = bindings;
        return inner.follow(bindings);
      },
      states: () => inner.states().filter(({ binding }) => last.some(({ path }) => path === binding.path)),
    };
  }),
  tracking("What cannot be watched is attached.", ["SRC-022"], (open, onHint) => {
    const inner = open(onHint);
    return { ...inner, states: () => inner.states().map(({ binding }) => ({ binding, state: "attached" })) };
  }),
  tracking("A tracker stays unchecked.", ["SRC-022", "SRC-025"], (open, onHint) => {
    const inner = open(onHint);
    return { ...inner, states: () => inner.states().map(({ binding }) => ({ binding, state: "unchecked" })) };
  }),
  tracking("A thing is watched until its first change.", ["SRC-023"], (open, onHint) => {
    const hinted = new Set<string>();
    return open((binding) => {
      if (!hinted.has(binding.path)) onHint(binding);
      hinted.add(binding.path);
    });
  }),
  tracking("A removal is not hinted.", ["SRC-023"], (open, onHint, world) =>
    open((binding) => {
      if (world.thingAt(binding.path) !== undefined) onHint(binding);
    }),
  ),
  tracking("What was removed is watched no more.", ["SRC-023"], (open, onHint, world) => {
    const dead = new Set<string>();
    return open((binding) => {
      if (!dead.has(binding.path)) onHint(binding);
      if (world.thingAt(binding.path) === undefined) dead.add(binding.path);
    });
  }),
  tracking("A tracker is settled before it has hinted.", ["SRC-023"], (open, onHint) => ({
    ...open(onHint),
    settled: async () => {},
  })),
  tracking("Of several changes the first is hinted.", ["SRC-023"], (open, onHint) => {
    let waiting: MemoryBinding | undefined;
    const inner = open((binding) => {
      waiting ??= binding;
    });
    return {
      ...inner,
      async settled() {
        await inner.settled();
        if (waiting !== undefined) onHint(waiting);
        waiting = undefined;
      },
    };
  }),
  tracking("A hint says what is there.", ["SRC-024"], (open, onHint, world) =>
    open((binding) => onHint({ ...binding, length: `${world.thingAt(binding.path)?.bytes.length}` })),
  ),
  tracking("A hint says what happened.", ["SRC-024"], (open, onHint, world) =>
    open((binding) =>
      Reflect.apply(onHint, undefined, [binding, world.thingAt(binding.path) === undefined ? "unlink" : "change"]),
    ),
  ),
  alteredSource("What one tracker follows is hinted to all.", ["SRC-024"], (inner) => {
    const everybody = new Set<(binding: MemoryBinding) => void>();
    return {
      track(onHint) {
        everybody.add(onHint);
        const tracker = inner.track?.((binding) => {
          for (const hear of everybody) hear(binding);
        }) as Tracker<MemoryBinding>;
        return {
          ...tracker,
          close: () => {
            everybody.delete(onHint);
            return tracker.close();
          },
        };
      },
    };
  }),
  tracking("The neighbours of what is followed are hinted, too.", ["SRC-024"], (open, onHint, world) => {
    const inner = open(onHint);
    const stop = world.listen(
      (path) => onHint({ type: "memory", world: world.name, path }),
      () => {},
    );
    return {
      ...inner,
      close: () => {
        stop();
        return inner.close();
      },
    };
  }),
  tracking("After a loss, following again is believed to be in force.", ["SRC-025"], (open, onHint) => {
    const inner = open(onHint);
    const seen = new Set<string>();
    return {
      ...inner,
      follow: async (bindings) => {
        const fresh = bindings.filter(({ path }) => !seen.has(path));
        for (const { path } of fresh) seen.add(path);
        if (fresh.length > 0) await inner.follow(fresh);
      },
    };
  }),
  tracking("A closed tracker is still attached.", ["SRC-025"], (open, onHint) => {
    const inner = open(onHint);
    let last: ReturnType<typeof inner.states> = [];
    return {
      ...inner,
      states: () => (last.length > 0 ? last : inner.states()),
      close: async () => {
        if (last.length === 0) last = inner.states();
        await inner.close();
      },
    };
  }),
  tracking("A closed tracker goes on hinting.", ["SRC-025"], (open, onHint) => {
    const inner = open(onHint);
    return {
      ...inner,
      states: () => inner.states().map(({ binding }) => ({ binding, state: "orphaned" })),
      close: async () => {},
    };
  }),
  alteredSource("Trackers of a closed source go on.", ["SRC-025"], () => ({ close: async () => {} })),
  tracking("A tracker can be closed once.", ["SRC-025"], (open, onHint) => {
    const inner = open(onHint);
    let closed = false;
    return {
      ...inner,
      close: async () => {
        if (closed) throw new Error("The tracker is closed already.");
        closed = true;
        await inner.close();
      },
    };
  }),
];
