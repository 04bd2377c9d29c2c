import type { StepObjects } from "@cm/context-log/state";
import { type DocumentOf, isSha256, type SetChanges, type StepMessage } from "@cm/object-model";
import type { IndexedFile } from "../files/touches.ts";
import type { Observed } from "../history/observed.ts";
import type { Wanted } from "../history/read-wanted.ts";

/** A message that was taken in, with what belongs to it. */
export interface TakenMessage {
  readonly message: StepMessage;
  /** The object of a result that came late. */
  readonly toolcall?: DocumentOf<"toolcall">;
}

/** A file of another session, and the version of it that came into sight. */
export interface Adopted {
  readonly seen: Observed[number];
  readonly document: DocumentOf<"file">;
}

/** What pending messages and changes name: late results, and files that were adopted. */
export interface PendingObjects {
  readonly toolcall: StepObjects["toolcall"];
  readonly files: readonly IndexedFile[];
}

/** About the room a message takes in the step's document. */
export function storedChars(message: StepMessage): number {
  return 64 + (message.role === "user" ? JSON.stringify(message.text).length : 0);
}

/** The documents of files that were looked at. */
export function documentIn(files: readonly IndexedFile[]): StepObjects["file"] {
  const documents = new Map(files.map(({ id, document }) => [id, document]));
  return (id) => documents.get(id);
}

/** The objects that messages, changes and observations name. */
export function wantedBy(messages: readonly StepMessage[], { index }: SetChanges, observed: Observed): Wanted {
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.object] : []));
  const met = (index?.added ?? []).filter((id) => !isSha256(id));
  return {
    toolcalls: [...new Set([...results, ...met])],
    files: observed.map(({ file, content_hash, display }) => [file, { contentHash: content_hash, display }]),
  };
}
