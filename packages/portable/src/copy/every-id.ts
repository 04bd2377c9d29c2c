import {
  attachmentIdsOf,
  everyVersion,
  indexedBy,
  isDocumentOf,
  keyframeId,
  type ObjectDocument,
  type ObjectStore,
  observedBy,
  standingId,
  stepId,
  toolcallsIn,
} from "@cm/object-model";

/**
 * The ids of all objects that lists or steps lead to. Lists leave out what was erased; an object of which only the newest
 * version was is found through the steps that name it.
 * @param types object types, since a store does not list objects of every type at once
 */
export async function everyId(store: ObjectStore, types: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const type of types) {
    const documents = type === "step" || type === "toolcall";
    for await (const { id, document } of everyVersion((page) => store.find({ type }, { ...page, documents }))) {
      ids.add(id);
      if (document !== undefined) for (const named of namedBy(document)) ids.add(named);
    }
  }
  return ids;
}

function namedBy(document: ObjectDocument): readonly string[] {
  const attached = attachmentIdsOf(document);
  if (!isDocumentOf(document, "step")) return attached;
  const [, session = "", n = ""] = /^step:(.*):(\d+)$/.exec(document["xt/id"]) ?? [];
  const beside = { session, n: Number(n) };
  return [
    ...attached,
    ...toolcallsIn(document.messages),
    ...indexedBy(document),
    ...observedBy(document).map(({ file }) => file),
    stepId(beside),
    keyframeId(beside),
    standingId(beside),
  ];
}
