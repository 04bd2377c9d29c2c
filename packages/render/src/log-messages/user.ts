import type { PartForm, PromptMessage, UserEntry } from "@cm/object-model";
import { bodyText, cutOf } from "../blocks/cut-lines.ts";
import { escapeText } from "../blocks/escape.ts";
import { cutText } from "../forms/cut-text.ts";
import { onceFor } from "../messages/memo.ts";
import { userMessage } from "../messages/verbatim.ts";
import { spansSuffix } from "./part-forms.ts";

/** What the user said, cut in its middle and without attachments only where a window forces it. */
export function userInForm(entry: UserEntry, form: PartForm): PromptMessage {
  const attachments = entry.attachments.length;
  const isWhole = form.form !== "spans" || (attachments === 0 && cutText(entry.text, form) === undefined);
  if (isWhole) {
    return onceFor(entry, "escaped", () => userMessage(entry, escapeText(entry.text)));
  }
  const suffix = spansSuffix(form);
  return onceFor(entry, suffix, () => {
    const cut = cutText(entry.text, form) ?? { head: entry.text, tail: "", leftOut: 0 };
    const text = bodyText(cut.head, { ...cutOf(cut), ...(attachments === 0 ? {} : { attachments }) });
    return { id: `${entry.at}~${suffix}`, role: "user", text, chars: text.length };
  });
}
