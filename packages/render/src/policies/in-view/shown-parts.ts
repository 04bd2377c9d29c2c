import {
  type AssistantEntry,
  argsPart,
  type ContextView,
  type LogEntry,
  type PartForm,
  resultPart,
} from "@cm/context-log";
import { cutArgs, withoutReplaced } from "../../layouts/log/cut-text.ts";
import { argsName, savedByArgs } from "../../layouts/log/log-message.ts";
import { fullForm } from "../../layouts/log/log-places.ts";
import { noteChars } from "../../layouts/log/notes.ts";
import { resultInForm } from "../../layouts/log/result.ts";
import { charsIn } from "../log-index/fold-candidates.ts";
import { partsOf } from "../log-index/log-parts.ts";
import { isReadText, type Part } from "../log-index/part.ts";

/** What a piece of a prompt is, for a person who asks what fills the context. */
export type ShownKind = "prompt" | "answer" | "thinking" | "file" | "output" | "arguments" | "note";

/** A piece of the next prompt as it stands now. */
export interface ShownPart {
  /** As in `ContextView.forms`; empty for what has no form. */
  readonly key: string;
  readonly kind: ShownKind;
  /** The object that a person knows it by: the file whose text it shows, else the call. Undefined for what was said. */
  readonly object: string | undefined;
  /** UTF-16 units as it stands, and in full. */
  readonly chars: number;
  readonly fullChars: number;
  readonly form: PartForm["form"];
}

/** All pieces of a prompt under layout `log`, as they stood in the newest request and with what came since, in their order. */
export function shownParts(view: ContextView): readonly ShownPart[] {
  const log = partsOf(view);
  const parts = log.parts.map((part): ShownPart => {
    const entry = view.log[part.at];
    const form = view.forms.get(part.key === "" ? `${part.at}` : part.key);
    const file = part.file === undefined ? undefined : log.files.idOf(part.file);
    // What asks for a file's text belongs to it; what changes a file is a text of its own.
    const isRead = isReadText(part) || (part.isArgs && part.class === "brief");
    return {
      key: part.key,
      kind: kindOf(part, entry),
      object: isRead && file !== undefined && view.objects.has(file) ? file : part.object,
      chars: charsOf(view, part, form),
      fullChars: part.chars,
      form: form?.form ?? "full",
    };
  });
  return [...parts, ...view.log.flatMap((entry) => thinkingOf(view, entry))];
}

function kindOf({ class: kind, isArgs }: Part, entry: LogEntry | undefined): ShownKind {
  if (isArgs) return "arguments";
  if (kind === "read" || kind === "recalled") return "file";
  if (kind !== "text") return "output";
  return entry?.kind === "user" ? "prompt" : entry?.kind === "assistant" ? "answer" : "note";
}

function charsOf(view: ContextView, part: Part, form: PartForm | undefined): number {
  // Only what was said is cut to its ends without a key of its own.
  if (form?.form === "spans" && part.key === "") return Math.min(part.chars, form.head + form.tail);
  return charsIn(view, part, form);
}

/** It goes with the text of its answer, and with arguments that are shortened. */
function thinkingOf(view: ContextView, entry: LogEntry): readonly ShownPart[] {
  if (entry.kind !== "assistant" || entry.thinking.length === 0) return [];
  if (view.forms.get(resultPart(entry.at))?.form === "spans" || hasShortArgs(view, entry)) return [];
  const chars = entry.thinking.reduce((sum, { text }) => sum + text.length, 0);
  return [{ key: "", kind: "thinking", object: undefined, chars, fullChars: chars, form: "full" }];
}

const hasShortArgs = (view: ContextView, { at, calls }: AssistantEntry): boolean =>
  calls.some((_, call) => {
    const key = argsPart(at, call);
    const form = view.forms.get(key);
    return form !== undefined && form.form !== "full" && savedChars(view, key, form) > 0;
  });

/** What a part is shorter by in a form than in full, in UTF-16 units; 0 where the log has no such part. */
export function savedChars(view: ContextView, key: string, form: PartForm): number {
  const [at = "", call] = key.split(".");
  const entry = view.log[Number(at)];
  if (entry?.kind === "result") {
    return resultInForm(view, entry, fullForm).chars - resultInForm(view, entry, form).chars;
  }
  if (entry?.kind === "recalled") return noteChars(view, entry, fullForm) - noteChars(view, entry, form);
  if (entry?.kind === "assistant" && call !== undefined) {
    const { args, object } = entry.calls[Number(call)] ?? {};
    if (args === undefined) return 0;
    const shorten = form.form === "replaced" ? withoutReplaced : cutArgs;
    return savedByArgs(args, shorten(args, argsName(view, entry, object)));
  }
  if (form.form !== "spans" || (entry?.kind !== "user" && entry?.kind !== "assistant")) return 0;
  return Math.max(0, entry.text.length - form.head - form.tail);
}
