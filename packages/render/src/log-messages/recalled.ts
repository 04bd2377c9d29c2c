import type { ContextView, PartForm, PromptMessage, RecalledEntry } from "@cm/object-model";
import type { ActiveBlock } from "../blocks/block.ts";
import { cutOf } from "../blocks/cut-lines.ts";
import { boundedField } from "../blocks/field.ts";
import { activeText } from "../blocks/lines.ts";
import { cutText } from "../forms/cut-text.ts";
import { onceFor } from "../messages/memo.ts";
import { aliasOf, spansSuffix } from "./part-forms.ts";

/** Text brought back at the tail (design 7.7), cut in its middle, or the header it leaves once it is folded again. */
export function recalledInForm(view: ContextView, entry: RecalledEntry, form: PartForm): PromptMessage {
  const alias = aliasOf(view, entry.object);
  const suffix = suffixOf(entry, form);
  return onceFor(entry, `${suffix} ${alias}`, () => {
    const id = boundedField(alias);
    const text = activeText(
      suffix === "recalled-reference" ? { kind: "active", id, state: "folded", text: null } : shown(entry, id, form),
    );
    return { id: `${entry.at}~${suffix}`, role: "user", text, chars: text.length };
  });
}

function suffixOf({ text }: RecalledEntry, form: PartForm): string {
  if (form.form === "reference") return "recalled-reference";
  return form.form === "spans" && cutText(text, form) !== undefined ? `recalled-${spansSuffix(form)}` : "recalled";
}

/** A part that was seen says why there is not all of it. */
function shown({ text, textless }: RecalledEntry, id: string, form: PartForm): ActiveBlock {
  const cut = form.form === "spans" ? cutText(text, form) : undefined;
  const state = textless === undefined ? {} : { state: textless };
  if (cut === undefined) return { kind: "active", id, ...state, text };
  return { kind: "active", id, ...state, text: cut.head, cut: cutOf(cut, id) };
}
