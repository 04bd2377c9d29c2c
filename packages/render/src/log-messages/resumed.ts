import type { ContextView, PromptMessage, ResumedEntry } from "@cm/object-model";
import { boundedField } from "../blocks/field.ts";
import { onceFor } from "../messages/memo.ts";
import { aliasOf } from "./part-forms.ts";

/** What changed since the agent last looked, told once (SSOT 3.6). */
export function resumedMessage(view: ContextView, entry: ResumedEntry): PromptMessage {
  return onceFor(entry, "resumed", () => {
    const changed = entry.files.map(({ object }) => `changed id=${boundedField(aliasOf(view, object))}`);
    const text = ["RESUMED", ...changed].join("\n");
    return { id: `${entry.at}~resumed`, role: "user", text, chars: text.length };
  });
}
