import type { Filter, ObjectStore } from "@cm/object-model";
import { foundIds, searchesText } from "../files/found-ids.ts";
import { limits } from "../limits.ts";

/**
 * The tool calls of sessions whose output has a piece of text, by the store's own text index. A call is written once,
 * so that the store has the very text that the session has; of a file it knows the newest version only, which need not
 * be the one in sight. Undefined: the store has no text search, or found too many; the texts in memory are searched.
 */
export async function toolcallsWithText(
  store: ObjectStore,
  sessions: ReadonlySet<string>,
  text: string,
): Promise<ReadonlySet<string> | undefined> {
  const found = new Set<string>();
  if (sessions.size > limits.searchedSessionsMax) return undefined;
  for (const session of sessions) {
    const filter: Filter = { type: "toolcall", session, text };
    if (!(await searchesText(store, filter))) return undefined;
    for await (const ids of foundIds(store, filter)) {
      for (const id of ids) found.add(id);
      if (found.size > limits.textHitsMax) return undefined;
    }
  }
  return found;
}
