import type { ViewObject } from "@cm/context-log";
import { toolcallObject } from "@cm/context-log/state";
import { type Filter, isDocumentOf, type JsonObject, type ObjectStore } from "@cm/object-model";
import { foundIds, readInParts, searchesText } from "@cm/step-log/load";
import { limits } from "../limits.ts";

/** What the store has of a call whose text left the session's memory with its messages. */
export interface StoredCall {
  readonly object: ViewObject;
  readonly args: JsonObject;
}

/** The calls among these objects whose text is in the store alone, with their texts; one that was erased since says so. */
export async function storedCalls(
  store: ObjectStore,
  objects: readonly ViewObject[],
): Promise<ReadonlyMap<string, StoredCall>> {
  const wanted = objects.filter(({ inStore }) => inStore === true);
  if (wanted.length === 0) return new Map();
  const found = await readInParts(
    store,
    wanted.map(({ id }) => id),
  );
  return new Map(
    wanted.map((object) => {
      const { inStore: _inStore, ...known } = object;
      const version = found.get(object.id);
      const document = version?.document;
      if (document === undefined || !isDocumentOf(document, "toolcall")) {
        const textless = version?.erased === undefined ? "missing" : "erased";
        return [object.id, { object: { ...known, textless }, args: {} }];
      }
      const args = (document.args ?? {}) as JsonObject;
      return [object.id, { object: toolcallObject(document, known.alias), args }];
    }),
  );
}

/** These objects, with the texts that are in the store alone. */
export async function withStoredTexts<Kind extends ViewObject>(
  store: ObjectStore,
  objects: readonly Kind[],
): Promise<readonly Kind[]> {
  const stored = await storedCalls(store, objects);
  if (stored.size === 0) return objects;
  return objects.map((one) => {
    const call = stored.get(one.id);
    if (call === undefined) return one;
    const { inStore: _inStore, ...rest } = one;
    return { ...rest, ...call.object } as Kind;
  });
}

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
