import { everyVersion, isDocumentOf, type ObjectStore, sessionObjectId } from "@cm/object-model";

/**
 * Whether a session came from a bundle: its first head is already some steps long. What was erased before it was carried
 * here was never in this store, so that nothing tells it from what this store has lost.
 */
export async function wasCarried(store: ObjectStore, session: string): Promise<boolean> {
  const id = sessionObjectId(session);
  let steps = 0;
  // Newest first. A fork begins some steps long, too, and is of this store.
  for await (const { document } of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
    if (document === undefined || !isDocumentOf(document, "session")) continue;
    steps = document.forked_from === undefined ? document.next_step : 0;
  }
  return steps > 1;
}
