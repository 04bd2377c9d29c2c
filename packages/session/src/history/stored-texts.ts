import type { ViewObject } from "@cm/context-log";
import { toolcallObject } from "@cm/context-log/state";
import { isDocumentOf, type JsonObject, type ObjectStore } from "@cm/object-model";
import { readInParts } from "./read-in-parts.ts";

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
