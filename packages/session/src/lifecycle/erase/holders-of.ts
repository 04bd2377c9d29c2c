import { coreDocumentTypes, type DocumentTypes, everyVersion, type ObjectStore } from "@cm/object-model";
import { foundIds, type HistoryReader, historiesOf } from "@cm/step-log/load";
import { sessionError } from "../../errors.ts";
import { limits } from "../../limits.ts";

/** An object of which at least one version holds a text. */
export interface Holder {
  readonly id: string;
  readonly type: string;
}

/**
 * The objects that hold a text in any field of any version, type by type: what else to erase. Reads the whole store.
 * Text in other words is not found: encoded, cut in two, or inside JSON that is itself text.
 * @throws CmError `session/invalid-input` for an empty text, or what the store throws
 */
export async function* holdersOf(
  store: ObjectStore,
  text: string,
  types: DocumentTypes = coreDocumentTypes,
): AsyncGenerator<Holder> {
  if (text === "") throw sessionError("session/invalid-input", "Every object holds the empty text; name a longer one.");
  // As it stands in a document's JSON.
  const wanted = JSON.stringify(text).slice(1, -1);
  const page = { documents: true, limit: limits.versionsPerPage };
  for (const { type } of types) {
    for await (const ids of foundIds(store, { type }, limits.objectsPerPage)) {
      for (const [id, read] of await historiesOf(store, ids, page)) if (await holds(read, wanted)) yield { id, type };
    }
  }
}

async function holds(read: HistoryReader, wanted: string): Promise<boolean> {
  for await (const { document } of everyVersion(read)) {
    if (document !== undefined && JSON.stringify(document).includes(wanted)) return true;
  }
  return false;
}
