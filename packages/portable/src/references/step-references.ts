import { attachmentId, attachmentIdsOf, type DocumentOf, type StepAddress, type StepMessage } from "@cm/object-model";

/** A version of a file, as steps name it. */
export interface FileVersion {
  readonly file: string;
  readonly contentHash: string;
}

/** What has to come along with a step. */
export interface References {
  readonly toolcalls: readonly string[];
  readonly files: readonly FileVersion[];
  readonly attachments: readonly string[];
  /** Steps that it continues or merges. */
  readonly steps: readonly StepAddress[];
}

/** What a step names. An object that entered the index and is no file of the step is a tool call. */
export function stepReferences(step: DocumentOf<"step">): References & { readonly indexed: readonly string[] } {
  const { messages, changes, changes_before, parent, merged, resumed, observed = [], observed_before = [] } = step;
  const seen = [...(resumed?.observed ?? []), ...observed_before, ...observed];
  return {
    toolcalls: toolcallsIn(messages),
    files: seen.map(({ file, content_hash }) => ({ file, contentHash: content_hash })),
    attachments: attachmentIdsOf(step),
    steps: [parent ?? [], merged ?? []].flat(),
    indexed: [...(changes_before?.index?.added ?? []), ...(changes.index?.added ?? [])],
  };
}

/** What a session had taken in when it was paused. */
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

function toolcallsIn(messages: readonly StepMessage[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role === "tool") return [message.object];
    return message.role === "assistant" ? (message.calls ?? []).flatMap(({ object }) => object ?? []) : [];
  });
}
