import { type ListQuery, limits as modelLimits, type ObjectList, type ViewObject } from "@cm/object-model";
import type { SessionState } from "../state/session-state.ts";
import { type CheckedQuery, checkedQuery } from "../views/list-query.ts";
import { objectPage } from "../views/object-list.ts";
import { type Discovery, foreignFiles } from "./foreign-files.ts";
import { storedCalls, withStoredTexts } from "./stored-texts.ts";
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
  const found = objectPage(state, query, await textFilter(state, discovery, query));
  const page = { ...found, objects: await withStoredTexts(discovery.store, found.objects) };
  if (page.next !== undefined || discovery.prefixes.length === 0) return page;
  return { ...page, foreign: await foreignFiles(discovery, query, (id) => state.sets.index.has(id)) };
}

/** The text that the session has in sight decides, whatever the store has by now. */
async function textFilter(
  { sessions, objects }: SessionState,
  { store }: Discovery,
  { text, kind }: CheckedQuery,
): Promise<(object: ViewObject) => boolean> {
  if (text === undefined) return () => true;
  const named = kind === "file" ? undefined : await toolcallsWithText(store, sessions, text);
  const isNamed = ({ id }: ViewObject): boolean => named === undefined || named.has(id);
  const stored = kind === "file" ? new Set() : await storedWith(text, [...objects.values()].filter(isNamed), store);
  return (object) =>
    object.inStore === true
      ? stored.has(object.id)
      : (object.kind === "file" || isNamed(object)) && has(object.text, text);
}

/** Of the calls whose text is in the store alone, those that have this piece in it. */
async function storedWith(
  text: string,
  objects: readonly ViewObject[],
  store: Discovery["store"],
): Promise<ReadonlySet<string>> {
  const hits = new Set<string>();
  const asked = objects.filter(({ inStore }) => inStore === true);
  for (let from = 0; from < asked.length; from += modelLimits.idsPerReadMax) {
    const part = await storedCalls(store, asked.slice(from, from + modelLimits.idsPerReadMax));
    for (const [id, { object }] of part) if (has(object.text, text)) hits.add(id);
  }
  return hits;
}

const has = (text: string | null, piece: string): boolean => (text ?? "").toLowerCase().includes(piece);
