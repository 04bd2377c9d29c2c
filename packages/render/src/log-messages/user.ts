import type { PartForm, PromptMessage, UserEntry } from "@cm/object-model";
import { bodyText, cutOf } from "../blocks/cut-lines.ts";
import { escapeText } from "../blocks/escape.ts";
import { cutText } from "../forms/cut-text.ts";
import { onceFor } from "../messages/memo.ts";
import { userMessage } from "../messages/verbatim.ts";
import { spansSuffix } from "./part-forms.ts";

/** What the user said, cut in its middle only where a window forces it. What was attached stays. */
export function userInForm(entry: UserEntry, form: PartForm): PromptMessage {
  const cut = form.form === "spans" ? cutText(entry.text, form) : undefined;
  if (form.form !== "spans" || cut === undefined) {
    return onceFor(entry, "escaped", () => userMessage(entry, escapeText(entry.text)));
  }
  const suffix = spansSuffix(form);
  return onceFor(entry, suffix, () => {
    const text = bodyText(cut.head, cutOf(cut));
    return { ...userMessage(entry, text), id: `${entry.at}~${suffix}` };
  });
}
