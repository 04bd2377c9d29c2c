import type { DocumentTypes, ObjectStore } from "@cm/object-model";
import { runCase } from "../case/run-case.ts";
import type { ConformanceCase } from "../suite.ts";
import { type Clock, createClock } from "./clock.ts";
import { sampleTypes } from "./sample-types.ts";
import { admitStore } from "./store-calls.ts";

export interface StoreSetting {
  /** Milliseconds since the epoch. A store that takes its time elsewhere lists the cases of the clock as known gaps. */
  readonly now: () => number;
  /** The core types and three more: the list of types is open. One declares what it may be found by. */
  readonly types: DocumentTypes;
}

/** Gives a fresh, empty store. A case opens one and closes it when it ends. */
export type StoreFactory = (setting: StoreSetting) => Promise<ObjectStore>;
export type StoreCase = ConformanceCase<StoreFactory>;

/** What the body of a law works on. */
export interface Stage {
  readonly store: ObjectStore;
  readonly clock: Clock;
}

/** A case without the opening and closing of its store. */
export interface StoreLaw {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  holds(stage: Stage): Promise<void>;
}

export function storeCase({ id, clause, title, holds }: StoreLaw): StoreCase {
  return {
    id,
    clause,
    title,
    run(open, options) {
      const clock = createClock();
      return runCase(
        {
          id,
          open: async () => open({ now: clock.now, types: sampleTypes }),
          admit: (store, calls) => ({ store: admitStore(store, calls), clock }),
          holds,
          close: async (store) => store.close?.(),
        },
        options,
      );
    },
  };
}
