import type { ContextView, PartForm } from "@cm/context-log";
import { cutArgs, withoutReplaced } from "../../layouts/forms/cut-args.ts";
import { noteChars } from "../../layouts/log/notes.ts";
import { aliasOf, fullForm } from "../../layouts/log/part-forms.ts";
import { resultInForm } from "../../layouts/log/result.ts";
import { savedByArgs } from "../../layouts/log/said.ts";

/** What a part is shorter by in a form than in full, in UTF-16 units; 0 where the log has no such part. */
export function savedChars(view: ContextView, key: string, form: PartForm): number {
  const [at = "", call] = key.split(".");
  const entry = view.log[Number(at)];
  if (entry?.kind === "result") {
    return resultInForm(view, entry, fullForm).chars - resultInForm(view, entry, form).chars;
  }
  if (entry?.kind === "recalled") return noteChars(view, entry, fullForm) - noteChars(view, entry, form);
  if (entry?.kind === "assistant" && call !== undefined) {
    const { args, object = "" } = entry.calls[Number(call)] ?? {};
    if (args === undefined) return 0;
    const shorten = form.form === "replaced" ? withoutReplaced : cutArgs;
    return savedByArgs(args, shorten(args, aliasOf(view, object)));
  }
  if (form.form !== "spans" || (entry?.kind !== "user" && entry?.kind !== "assistant")) return 0;
  return Math.max(0, entry.text.length - form.head - form.tail);
}
