import type { ContextHost } from "@cm/context-log";
import type { HarnessConversation } from "./conversation.ts";
import type { HarnessFeature, HarnessUnderTest } from "./harness-case.ts";
import type { StoredSession } from "./harness-run.ts";
import { HostLoop } from "./host-loop.ts";

/** Where sessions of one store are opened, for one conversation. */
export interface HostWorld {
  /** Starts a session, or continues it as a new process would. */
  open(session: string): Promise<ContextHost>;
  /** The session stands at one of its steps again, or before the first one (feature `going-back`). */
  goBack?(session: string, n: number | null): Promise<void>;
  /** From now on the store does not answer, or does again (feature `store-offline`). */
  setOffline?(isAway: boolean): void;
  /** What the store has of it. */
  stored(session: string): Promise<StoredSession | undefined>;
}

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
