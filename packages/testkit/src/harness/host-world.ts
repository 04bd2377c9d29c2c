import type { ContextHost } from "@cm/context-log";
import type { StoredSession } from "./harness-run.ts";

/** Where sessions of one store are opened, for one conversation. */
export interface HostWorld {
  /** Starts a session, or continues it as a new process would. */
  open(session: string): Promise<ContextHost>;
  /** The session stands at one of its steps again, or before the first one (feature `going-back`). */
  goBack?(session: string, n: number | null): Promise<void>;
  /** From now on the store does not answer, or does again (feature `store-offline`). */
  setOffline?(isOffline: boolean): void;
  /** What the store has of it. */
  stored(session: string): Promise<StoredSession | undefined>;
}
