import type { ContextView, PartForm, PromptMessage, RecalledEntry } from "@cm/object-model";
import type { ActiveBlock } from "../blocks/block.ts";
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
    const text = activeText(folded ? { kind: "active", id, state: "folded", text: null } : shown(entry, id));
    const suffix = folded ? "recalled-reference" : "recalled";
    return { id: `${entry.at}~${suffix}`, role: "user", text, chars: text.length };
  });
}

/** A part that was seen says why there is not all of it. */
function shown({ text, textless }: RecalledEntry, id: string): ActiveBlock {
  return { kind: "active", id, ...(textless === undefined ? {} : { state: textless }), text };
}
