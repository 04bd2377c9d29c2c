import {
  appendedEntries,
  argsPart,
  type ContextView,
  isNote,
  isTold,
  type LogEntry,
  type NoteEntry,
  type OmittedEntry,
  type PartForm,
  type PromptMessage,
  type RenderedPrompt,
  type Renderer,
  resultPart,
} from "@cm/context-log";
import { canonicalJson, type JsonObject } from "@cm/object-model";
import { contentOf } from "./prompt-content.ts";

type FormOf = (part: string) => PartForm;

/** The log as it is, each part in its form, in as few words as the laws need. For tests of what takes a renderer. */
export const simpleRenderer: Renderer = {
  contract: "renderer/1",
  layout: "simple/1",
  residency: "rendered",
  render(view, decision) {
    const formOf: FormOf = (part) => decision.forms?.[part] ?? view.forms.get(part) ?? { form: "full" };
    const entries: readonly LogEntry[] = [...view.log, ...appendedEntries(view, decision)];
    const notes = entries.filter(isNote);
    return promptOf(
      view,
      entries.flatMap((entry) =>
        isNote(entry) || entry.kind === "omitted"
          ? []
          : [
              messageOf(
                entry,
                notes.filter(({ into }) => into === entry.at),
                formOf,
              ),
            ],
      ),
    );
  },
};

/** Counts, and tells how much of the prompt before stands at its start: whole messages only. */
export function promptOf(view: ContextView, messages: readonly PromptMessage[]): RenderedPrompt {
  const charsOf = (counted: readonly PromptMessage[]): number => counted.reduce((sum, { chars }) => sum + chars, 0);
  const differs = messages.findIndex(({ id }, at) => id !== view.sent?.messages[at]?.id);
  const kept = differs < 0 ? messages : messages.slice(0, differs);
  return {
    layout: "simple/1",
    system: view.systemPrompt,
    messages,
    chars: charsOf(messages),
    kept: { messages: kept.length, chars: charsOf(kept) },
  };
}

type SpokenEntry = Exclude<LogEntry, NoteEntry | OmittedEntry>;

/** What is told stands at the end of a result. */
function messageOf(entry: SpokenEntry, notes: readonly NoteEntry[], formOf: FormOf): PromptMessage {
  const key = resultPart(entry.at);
  const text = textIn(entry.text ?? "The text is gone.", formOf(key));
  if (entry.kind === "result") {
    const told = notes.map((note) => textIn(textOf(note), formOf(resultPart(note.at))));
    const whole = [text, ...told].join("\n");
    const shown = { role: "tool" as const, text: whole, callId: entry.callId, failed: entry.status === "fail" };
    return counted(entry, [formOf(key), ...notes.map((note) => formOf(resultPart(note.at)))], shown);
  }
  if (entry.kind !== "assistant") return counted(entry, [formOf(key)], { role: "user", text });
  const forms = entry.calls.map((_, call) => formOf(argsPart(entry.at, call)));
  const calls = entry.calls.map(({ callId, tool, args }, call) => ({ callId, tool, args: argsIn(args, forms[call]) }));
  // Thinking binds a message to its bytes, so it goes with arguments that are shortened.
  const isWhole = calls.every(({ args }, call) => canonicalJson(args) === canonicalJson(entry.calls[call]?.args ?? {}));
  const thinking = isWhole ? entry.thinking : [];
  return counted(entry, [formOf(key), ...forms], { role: "assistant", text, thinking, calls });
}

/** The id names the entry and the forms, on which alone the bytes depend. */
function counted(
  entry: SpokenEntry,
  forms: readonly PartForm[],
  message: Omit<PromptMessage, "id" | "chars">,
): PromptMessage {
  const uncounted = { ...message, id: `${entry.at}~${JSON.stringify(forms)}`, chars: 0 };
  return { ...uncounted, chars: contentOf(uncounted).length };
}

function textOf(note: NoteEntry): string {
  if (isTold(note)) return `This is told: ${JSON.stringify(note)}`;
  if (note.kind === "resumed") return `These files changed: ${note.files.map(({ path }) => path).join(" ")}`;
  return note.text;
}

function textIn(text: string, form: PartForm): string {
  if (form.form === "reference") return "folded";
  if (form.form === "same") return `the same as ${form.as}`;
  if (form.form === "pointer") return `as in ${JSON.stringify(form.runs)}`;
  return form.form === "spans" ? `${text.slice(0, form.head)}...${text.slice(text.length - form.tail)}` : text;
}

/** A text keeps its beginning, and is cut only where that saves much. */
function argsIn(args: JsonObject, form: PartForm | undefined): JsonObject {
  if (form?.form !== "reference") return args;
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === "string" && value.length > 500 ? `${value.slice(0, 40)}...` : (value ?? null),
    ]),
  );
}
