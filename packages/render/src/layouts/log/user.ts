import type { PartForm, PromptMessage, UserEntry } from "@cm/context-log";
import { cutText } from "../forms/cut-text.ts";
import { memoizedMessage } from "../messages/memo.ts";
import { verbatimMessage } from "../messages/verbatim.ts";
import { cutWords } from "./assistant.ts";
import { spansSuffix } from "./part-forms.ts";

/** What the user said, to the letter; cut in its middle and without attachments only where a window forces it. */
export function userInForm(entry: UserEntry, form: PartForm): PromptMessage {
  const attachments = entry.attachments.length;
  if (form.form !== "spans") return verbatimMessage(entry);
  const cut = cutText(entry.text, form);
  if (cut === undefined && attachments === 0) return verbatimMessage(entry);
  const suffix = spansSuffix(form);
  return memoizedMessage(entry, suffix, () => {
    const ends = cut ?? { head: entry.text, tail: "", leftOut: 0 };
    const text = cutWords(ends, attachments === 0 ? undefined : attachments);
    return { id: `${entry.at}~${suffix}`, role: "user", text, chars: text.length };
  });
}
