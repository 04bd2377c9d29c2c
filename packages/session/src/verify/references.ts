import {
  attachmentIdsOf,
  chatId,
  type DocumentOf,
  defined,
  indexedBy,
  isDocumentOf,
  type ObjectDocument,
  observedBy,
  sessionOfReference,
  stepId,
  toolcallsIn,
} from "@cm/object-model";

/** Something that a document names and that must be there, or have been erased. */
export interface Reference {
  readonly id: string;
  /** The version that was named; absent where any will do. */
  readonly contentHash?: string;
}

/** Everything a document names. Pure. */
export function referencesOf(document: ObjectDocument): readonly Reference[] {
  return [...attachmentIdsOf(document).map((id) => ({ id })), ...ownReferences(document)];
}

function ownReferences(document: ObjectDocument): readonly Reference[] {
  if (isDocumentOf(document, "step")) return ofStep(document);
  if (isDocumentOf(document, "toolcall")) return ofToolcall(document);
  if (isDocumentOf(document, "session")) return ofSession(document);
  if (isDocumentOf(document, "chat")) {
    return [{ id: document.session_ref }, ...(document.head === null ? [] : [{ id: stepId(document.head) }])];
  }
  if (isDocumentOf(document, "keyframe")) {
    const session = sessionOfReference(document.session_ref);
    return [{ id: document.session_ref }, { id: stepId({ session, n: document.n }) }];
  }
  if (isDocumentOf(document, "system_prompt") || isDocumentOf(document, "lease")) return [{ id: document.session_ref }];
  return [];
}

function ofStep(step: DocumentOf<"step">): readonly Reference[] {
  const { session_ref, parent, merged, messages } = step;
  const seen = observedBy(step);
  const files = new Set(seen.map(({ file }) => file));
  return [
    { id: session_ref },
    ...(parent === null ? [] : [{ id: stepId(parent) }]),
    ...(merged === undefined ? [] : [{ id: stepId(merged) }]),
    ...[...new Set([...toolcallsIn(messages), ...indexedBy(step).filter((id) => !files.has(id))])].map((id) => ({
      id,
    })),
    ...seen.map(({ file, content_hash }) => ({ id: file, contentHash: content_hash })),
  ];
}

function ofToolcall({ chat_ref, file_refs = [], spans = [] }: DocumentOf<"toolcall">): readonly Reference[] {
  return [
    { id: chatId(sessionOfReference(chat_ref)) },
    ...file_refs.map((id) => ({ id })),
    ...spans.map(({ file, content_hash }) => ({
      id: file,
      ...defined({ contentHash: content_hash }),
    })),
  ];
}

function ofSession(document: DocumentOf<"session">): readonly Reference[] {
  const { chat_ref, system_prompt_ref, head, keyframe, forked_from, pending } = document;
  const waiting = (pending?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.object] : []));
  return [
    ...waiting.map((id) => ({ id })),
    ...(pending?.observed ?? []).map(({ file, content_hash }) => ({ id: file, contentHash: content_hash })),
    { id: chat_ref },
    { id: system_prompt_ref },
    ...[head, forked_from ?? null].flatMap((address) => (address === null ? [] : [{ id: stepId(address) }])),
    ...(keyframe === undefined ? [] : [{ id: keyframe }]),
  ];
}
