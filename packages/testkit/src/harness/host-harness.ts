import type { HarnessConversation } from "./conversation.ts";
import type { HarnessFeature, HarnessUnderTest } from "./harness-case.ts";
import { HostLoop } from "./host-loop.ts";
import type { HostWorld } from "./host-world.ts";

export interface HostHarnessOptions {
  readonly name: string;
  readonly features: readonly HarnessFeature[];
  /** A fresh, empty store. */
  readonly begin: () => Promise<HostWorld>;
}

/**
 * The smallest harness around a `ContextHost`: an agent's loop in this process. What a host promises is tried with it.
 */
export function hostHarness({ name, features, begin }: HostHarnessOptions): HarnessUnderTest {
  return {
    name,
    features,
    async play({ turns, elsewhere = [] }: HarnessConversation) {
      const world = await begin();
      const other = new HostLoop(world, "elsewhere");
      for (const turn of elsewhere) await other.play(turn);
      await other.end();
      const loop = new HostLoop(world, "main");
      for (const turn of turns) await loop.play(turn);
      await loop.end();
      return { requests: loop.requests, stored: await world.stored("main") };
    },
  };
}
