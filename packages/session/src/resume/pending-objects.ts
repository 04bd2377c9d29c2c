import { type DocumentOf, isDocumentOf, type ObjectStore } from "@cm/object-model";
import type { FileIndex, IndexedFile } from "../indexing/file-index.ts";
import { readInParts } from "../steps/read-in-parts.ts";
import type { PendingObjects } from "../steps/taken-in.ts";
import { objectsIn, type Pending } from "./pending.ts";

/** Reads what pending messages and changes name: late results, and adopted files in the version they have now. */
export async function readPendingObjects(
  store: ObjectStore,
  files: FileIndex,
  pending: Pending | undefined,
): Promise<PendingObjects> {
  const ids = pending === undefined ? [] : objectsIn(pending);
  const found = ids.length === 0 ? new Map() : await readInParts(store, ids);
  const toolcalls = new Map<string, DocumentOf<"toolcall">>();
  const adopted: IndexedFile[] = [];
  for (const id of ids) {
    const document = found.get(id)?.document;
    if (document === undefined) continue;
    if (isDocumentOf(document, "toolcall")) toolcalls.set(id, document);
    if (!isDocumentOf(document, "file") || document.source === null) continue;
    files.resume(document);
    const display = files.displayOf(document.source);
    adopted.push({ id, outcome: "unchanged", document, write: undefined, display });
  }
  return { toolcall: (id) => toolcalls.get(id), files: adopted };
}
