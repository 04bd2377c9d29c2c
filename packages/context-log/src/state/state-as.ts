import { firstChain, nextChain } from "@cm/object-model";
import type { LogState } from "./log-state.ts";

/** What differs where another session has the same path: its chain vouches for the whole path under its own id. */
export function stateAs(
  { path }: Pick<LogState, "path">,
  session: string,
): Pick<LogState, "session" | "sessions" | "chain"> {
  const sessions = new Set([session]);
  let chain = firstChain(session);
  for (const { address, contentHash } of path) {
    sessions.add(address.session);
    chain = nextChain(chain, contentHash);
  }
  return { session, sessions, chain };
}
