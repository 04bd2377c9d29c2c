import type { ContextView, PartForm, PromptMessage, RecalledEntry } from "@cm/object-model";
import { boundedField } from "../blocks/field.ts";
import { activeText } from "../blocks/lines.ts";
import { onceFor } from "../messages/memo.ts";
import { aliasOf } from "./part-forms.ts";

/** Text brought back at the tail (design 7.7), or the header it leaves once it is folded again. */
export function recalledInForm(view: ContextView, entry: RecalledEntry, form: PartForm): PromptMessage {
  const alias = aliasOf(view, entry.object);
  const folded = form.form === "reference";
  return onceFor(entry, `${folded ? "folded" : "full"} ${alias}`, () => {
    const id = boundedField(alias);
    const text = activeText(
      folded ? { kind: "active", id, state: "folded", text: null } : { kind: "active", id, text: entry.text },
    );
    const suffix = folded ? "recalled-reference" : "recalled";
    return { id: `${entry.at}~${suffix}`, role: "user", text, chars: text.length };
  });
}
