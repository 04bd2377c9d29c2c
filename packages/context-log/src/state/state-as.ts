import { firstChain, nextChain } from "@cm/object-model";
import type { SessionState } from "./session-state.ts";

/** What differs where another session has the same path: its chain vouches for the whole path under its own id. */
export function stateAs(
  { path }: Pick<SessionState, "path">,
  session: string,
): Pick<SessionState, "session" | "sessions" | "chain"> {
  const sessions = new Set([session]);
  let chain = firstChain(session);
  for (const { address, contentHash } of path) {
    sessions.add(address.session);
    chain = nextChain(chain, contentHash);
  }
  return { session, sessions, chain };
}
