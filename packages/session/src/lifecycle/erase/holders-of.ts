import {
  coreDocumentTypes,
  type DocumentTypes,
  everyVersion,
  type HistoryReader,
  historiesOf,
  inParts,
  type ObjectStore,
  ReadSize,
} from "@cm/object-model";
import { foundIds } from "@cm/step-log/load";
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
    const size = new ReadSize(limits.objectsPerPage);
    for await (const found of foundIds(store, { type }, limits.objectsPerPage)) {
      for (const ids of inParts(found, size)) {
        let chars = 0;
        for (const [id, read] of await historiesOf(store, ids, page)) {
          const looked = await lookedThrough(read, wanted);
          chars += looked.chars;
          if (looked.holds) yield { id, type };
        }
        size.follow(chars, ids.length);
      }
    }
  }
}

async function lookedThrough(
  read: HistoryReader,
  wanted: string,
): Promise<{ readonly holds: boolean; readonly chars: number }> {
  let chars = 0;
  for await (const { document } of everyVersion(read)) {
    const text = document === undefined ? "" : JSON.stringify(document);
    chars += text.length;
    if (text.includes(wanted)) return { holds: true, chars };
  }
  return { holds: false, chars };
}
