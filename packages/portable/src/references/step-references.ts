import {
  attachmentId,
  attachmentIdsOf,
  type DocumentOf,
  indexedBy,
  observedBy,
  type StepAddress,
  toolcallsIn,
} from "@cm/object-model";

/** A version of a file, as steps name it. */
export interface FileVersion {
  readonly file: string;
  readonly contentHash: string;
}

/** The objects that must be exported with a step. */
export interface References {
  readonly toolcalls: readonly string[];
  readonly files: readonly FileVersion[];
  readonly attachments: readonly string[];
  /** Steps that it continues or merges. */
  readonly steps: readonly StepAddress[];
}

/** The references of a step. An object that entered the index and is not a file of the step is a tool call. */
export function stepReferences(step: DocumentOf<"step">): References & { readonly indexed: readonly string[] } {
  const { messages, parent, merged } = step;
  return {
    toolcalls: toolcallsIn(messages),
    files: observedBy(step).map(({ file, content_hash }) => ({ file, contentHash: content_hash })),
    attachments: attachmentIdsOf(step),
    steps: [parent ?? [], merged ?? []].flat(),
    indexed: indexedBy(step),
  };
}

/** The pending input of a paused session. */
export function pendingReferences(
  head: DocumentOf<"session">,
): Omit<References, "steps"> & { readonly indexed: readonly string[] } {
  const { messages = [], changes, observed = [] } = head.pending ?? {};
  const refs = messages.flatMap((message) => (message.role === "user" ? (message.attachments ?? []) : []));
  return {
    toolcalls: toolcallsIn(messages),
    files: observed.map(({ file, content_hash }) => ({ file, contentHash: content_hash })),
    attachments: refs.map(({ sha256 }) => attachmentId(sha256)),
    indexed: changes?.index?.added ?? [],
  };
}
