import {
  type ContextView,
  type LogEntry,
  type NoteEntry,
  type PartForm,
  type PromptMessage,
  resultPart,
} from "@cm/context-log";
import { resultWithNotes } from "./result.ts";
import { assistantInForms, userInForm } from "./said.ts";

/** The message of an entry whose parts stand in these forms; undefined for a note, which stands in a result. */
export function logMessage(
  view: ContextView,
  entry: LogEntry,
  { formOf, notes }: { readonly formOf: (part: string) => PartForm; readonly notes: readonly NoteEntry[] },
): PromptMessage | undefined {
  switch (entry.kind) {
    case "user":
      return userInForm(entry, formOf(resultPart(entry.at)));
    case "assistant":
      return assistantInForms(view, entry, formOf);
    case "result":
      return resultWithNotes(view, entry, { formOf, notes });
    default:
      return undefined;
  }
}
