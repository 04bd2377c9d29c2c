import { type DocumentOf, everyVersion, isDocumentOf, type ObjectStore, sessionObjectId } from "@cm/object-model";

/** What a session's head said at each of its steps, newest first; erased versions are left out. */
export async function* headVersions(store: ObjectStore, session: string): AsyncGenerator<DocumentOf<"session">> {
  const id = sessionObjectId(session);
  for await (const { document } of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
    if (document !== undefined && isDocumentOf(document, "session")) yield document;
  }
}
