import { firstChain, nextChain } from "@cm/object-model";
import type { SessionState } from "./session-state.ts";

/** What differs where another session has the same path: its chain vouches for the whole path under its own id. */
export function stateAs(
  { path }: Pick<SessionState, "path">,
  session: string,
): Pick<SessionState, "session" | "sessions" | "chain"> {
  return {
    session,
    sessions: new Set([session, ...path.map(({ address }) => address.session)]),
    chain: path.reduce((chain, { contentHash }) => nextChain(chain, contentHash), firstChain(session)),
  };
}
