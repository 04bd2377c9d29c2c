import {
  attachmentIdsOf,
  type DocumentOf,
  type DocumentTypes,
  everyDocument,
  everyVersion,
  indexedBy,
  isDocumentOf,
  keyframeId,
  type ObjectStore,
  observedBy,
  sessionOfReference,
  standingId,
  stepId,
  systemPromptId,
  toolcallsIn,
} from "@cm/object-model";

/**
 * The ids of all objects that lists or steps lead to. Lists leave out what was erased; an object of which only the newest
 * version was is found through the steps and heads that name it. Of no other object the document is read.
 */
export async function everyId(store: ObjectStore, types: DocumentTypes): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { type } of types) {
    if (type === "step") continue;
    for await (const { id } of everyVersion((page) => store.find({ type }, page))) {
      ids.add(id);
      if (type === "session") ids.add(systemPromptId(sessionOfReference(id)));
    }
  }
  for await (const { id, document } of everyDocument((page) => store.find({ type: "step" }, page))) {
    ids.add(id);
    if (document !== undefined && isDocumentOf(document, "step")) for (const named of namedBy(document)) ids.add(named);
  }
  return ids;
}

function namedBy(step: DocumentOf<"step">): readonly string[] {
  const [, session, n] = /^step:(.*):(\d+)$/.exec(step["xt/id"]) ?? [];
  // A damaged store lists something else as a step, which names nothing.
  if (session === undefined) return [];
  const beside = { session, n: Number(n) };
  return [
    ...attachmentIdsOf(step),
    ...toolcallsIn(step.messages),
    ...indexedBy(step),
    ...observedBy(step).map(({ file }) => file),
    stepId(beside),
    keyframeId(beside),
    standingId(beside),
  ];
}
