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
  const { named, stored } = await soughtCalls(state, discovery, query);
  const objects = stored.size === 0 ? state.objects : new Map([...state.objects, ...stored]);
  const found = objectPage({ ...state, objects }, query, textFilter(query, named));
  const page = { ...found, objects: await withStoredTexts(discovery.store, found.objects) };
  if (page.next !== undefined || discovery.prefixes.length === 0) return page;
  return { ...page, foreign: await foreignFiles(discovery, query, (id) => state.sets.index.has(id)) };
}

interface SoughtCalls {
  /** Those whose output has the text that is looked for; undefined where the store cannot tell. */
  readonly named: ReadonlySet<string> | undefined;
  /** With their texts, which the session does not hold. */
  readonly stored: ReadonlyMap<string, ViewObject>;
}

/** Calls whose messages left the prompt are looked through as all others are, where a query asks for what they say. */
async function soughtCalls(
  { sessions, objects }: LogState,
  { store }: Discovery,
  { text, path, kind }: CheckedQuery,
): Promise<SoughtCalls> {
  const named = text === undefined || kind === "file" ? undefined : await toolcallsWithText(store, sessions, text);
  if (kind === "file" || (text === undefined && path === undefined)) return { named, stored: new Map() };
  const asked = [...objects.values()].filter(({ id, inStore }) => inStore === true && named?.has(id) !== false);
  const calls = await storedCalls(store, asked);
  return { named, stored: new Map([...calls].map(([id, { object }]) => [id, object])) };
}

/** The text that the session has in sight decides, whatever the store has by now. */
function textFilter({ text }: CheckedQuery, named: ReadonlySet<string> | undefined): (object: ViewObject) => boolean {
  if (text === undefined) return () => true;
  return (object) => (object.kind === "file" || named?.has(object.id) !== false) && has(object.text, text);
}

const has = (text: string | null, piece: string): boolean => (text ?? "").toLowerCase().includes(piece);
