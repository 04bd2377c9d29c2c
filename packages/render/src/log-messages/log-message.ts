import { type ContextView, type LogEntry, type PartForm, type PromptMessage, resultPart } from "@cm/object-model";
import { assistantInForms } from "./assistant.ts";
import { aliasOf } from "./part-forms.ts";
import { recalledInForm } from "./recalled.ts";
import { releasedMessage } from "./released.ts";
import { resultInForm } from "./result.ts";
import { resumedMessage } from "./resumed.ts";
import { userInForm } from "./user.ts";

/** The message of an entry whose parts stand in these forms. */
export function logMessage(view: ContextView, entry: LogEntry, formOf: (part: string) => PartForm): PromptMessage {
  switch (entry.kind) {
    case "user":
      return userInForm(entry, formOf(resultPart(entry.at)));
    case "assistant":
      return assistantInForms(view, entry, formOf);
    case "result":
      return resultInForm(view, entry, formOf(resultPart(entry.at)));
    case "resumed":
      return resumedMessage(entry, "alias", (object) => aliasOf(view, object));
    case "released":
      return releasedMessage(entry, "alias", (object) => aliasOf(view, object));
    case "recalled":
      return recalledInForm(view, entry, formOf(resultPart(entry.at)));
  }
}
