import type { ListQuery, ObjectList, ViewObject } from "@cm/object-model";
import type { SessionState } from "../state/session-state.ts";
import { type CheckedQuery, checkedQuery } from "../views/list-query.ts";
import { objectPage } from "../views/object-list.ts";
import { type Discovery, foreignFiles } from "./foreign-files.ts";
import { toolcallsWithText } from "./text-search.ts";

/**
 * A page of what the session met; after the last one, what others met where the session may discover that.
 * @throws CmError `session/invalid-input`, or what the store throws
 */
export async function listObjects(
  state: SessionState,
  discovery: Discovery,
  listQuery: ListQuery,
): Promise<ObjectList> {
  const query = checkedQuery(listQuery);
  const page = objectPage(state, query, await textFilter(state, discovery, query));
  if (page.next !== undefined || discovery.prefixes.length === 0) return page;
  return { ...page, foreign: await foreignFiles(discovery, query, (id) => state.sets.index.has(id)) };
}

/** The text that the session has in sight decides, whatever the store has by now. */
async function textFilter(
  { sessions }: SessionState,
  { store }: Discovery,
  { text, kind }: CheckedQuery,
): Promise<(object: ViewObject) => boolean> {
  if (text === undefined) return () => true;
  const named = kind === "file" ? undefined : await toolcallsWithText(store, sessions, text);
  return (object) =>
    (object.kind === "file" || named === undefined || named.has(object.id)) &&
    (object.text ?? "").toLowerCase().includes(text);
}
