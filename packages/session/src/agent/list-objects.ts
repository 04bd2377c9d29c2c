import type { ListQuery, ObjectList, ViewObject } from "@cm/context-log";
import { type CheckedQuery, checkedQuery, type LogState, objectPage } from "@cm/context-log/state";
import { type Discovery, foreignFiles } from "../files/foreign-files.ts";
import { storedCalls, toolcallsWithText, withStoredTexts } from "./stored-texts.ts";

/**
 * A page of what the session met; after the last one, what others met where the session may discover that.
 * @throws CmError `session/invalid-input`, or what the store throws
 */
export async function listObjects(state: LogState, discovery: Discovery, listQuery: ListQuery): Promise<ObjectList> {
  const query = checkedQuery(listQuery);
  const stored = await soughtCalls(state, discovery, query);
  const objects = stored.size === 0 ? state.objects : new Map([...state.objects, ...stored]);
  const found = objectPage({ ...state, objects }, query, ({ text }) => has(text, query.text));
  const page = { ...found, objects: await withStoredTexts(discovery.store, found.objects) };
  if (page.next !== undefined || discovery.prefixes.length === 0) return page;
  return { ...page, foreign: await foreignFiles(discovery, query, (id) => state.sets.index.has(id)) };
}

/**
 * Calls whose messages left the prompt are looked through as all others are, where a query asks for what they say: with their
 * texts, which the session does not hold.
 */
async function soughtCalls(
  { sessions, objects }: LogState,
  { store }: Discovery,
  { text, path, kind }: CheckedQuery,
): Promise<ReadonlyMap<string, ViewObject>> {
  if (kind === "file" || (text === undefined && path === undefined)) return new Map();
  const left = [...objects.values()].filter(({ inStore }) => inStore === true);
  const named = text === undefined || left.length === 0 ? undefined : await toolcallsWithText(store, sessions, text);
  const calls = await storedCalls(
    store,
    left.filter(({ id }) => named?.has(id) !== false),
  );
  return new Map([...calls].map(([id, { object }]) => [id, object]));
}

/** The text that the session has in sight decides, whatever the store has by now, and under whose name. */
const has = (text: string | null, piece: string | undefined): boolean =>
  piece === undefined || (text ?? "").toLowerCase().includes(piece);
