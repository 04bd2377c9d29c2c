import type { Tracked, Tracker } from "@cm/object-model";
import { at, MapSource } from "./map-source.ts";

type Binding = ReturnType<typeof at>;

/** A map with a tracker whose hints the test gives. */
export class TrackedMap extends MapSource {
  readonly followed: Tracked<Binding>[] = [];
  isClosed = false;
  hint: (path: string) => void = () => undefined;

  track(onHint: (binding: Binding) => void): Tracker<Binding> {
    this.hint = (path) => onHint(at(path));
    return {
      follow: async (bindings) =>
        void this.followed.push(...bindings.map((binding) => ({ binding, state: "attached" }) as const)),
      states: () => this.followed,
      settled: async () => undefined,
      close: async () => {
        this.isClosed = true;
      },
    };
  }
}
