import {
  appendedEntries,
  argsPart,
  type ContextView,
  type JsonObject,
  type LogEntry,
  type PartForm,
  type PromptMessage,
  type RenderedPrompt,
  type Renderer,
  resultPart,
} from "@cm/object-model";
import { contentOf } from "./prompt-content.ts";

type FormOf = (part: string) => PartForm;

/** The log as it is, each part in its form, in as few words as the laws need. For tests of what takes a renderer. */
export const simpleRenderer: Renderer = {
  contract: "renderer/1",
  layout: "simple/1",
  residency: "rendered",
  render(view, decision) {
    const formOf: FormOf = (part) => decision.forms?.[part] ?? view.forms.get(part) ?? { form: "full" };
    const entries = [...view.log, ...appendedEntries(view, decision)];
    return promptOf(
      view,
      entries.map((entry) => messageOf(entry, formOf)),
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

function messageOf(entry: LogEntry, formOf: FormOf): PromptMessage {
  const key = resultPart(entry.at);
  const text = textIn(textOf(entry), formOf(key));
  if (entry.kind === "result") {
    const shown = { role: "tool" as const, text, callId: entry.callId, failed: entry.status === "fail" };
    return counted(entry, [formOf(key)], shown);
  }
  if (entry.kind !== "assistant") return counted(entry, [formOf(key)], { role: "user", text });
  const forms = entry.calls.map((_, call) => formOf(argsPart(entry.at, call)));
  const calls = entry.calls.map(({ callId, tool, args }, call) => ({ callId, tool, args: argsIn(args, forms[call]) }));
  return counted(entry, [formOf(key), ...forms], { role: "assistant", text, thinking: entry.thinking, calls });
}

/** The id names the entry and the forms, on which alone the bytes depend. */
function counted(
  entry: LogEntry,
  forms: readonly PartForm[],
  message: Omit<PromptMessage, "id" | "chars">,
): PromptMessage {
  const uncounted = { ...message, id: `${entry.at}~${JSON.stringify(forms)}`, chars: 0 };
  return { ...uncounted, chars: contentOf(uncounted).length };
}

function textOf(entry: LogEntry): string {
  if (entry.kind === "released") return `These pins are gone: ${entry.objects.join(" ")}`;
  if (entry.kind === "resumed") return `These files changed: ${entry.files.map(({ path }) => path).join(" ")}`;
  return entry.text ?? "The text is gone.";
}

function textIn(text: string, form: PartForm): string {
  if (form.form === "reference") return "folded";
  if (form.form === "same") return `the same as ${form.as}`;
  return form.form === "spans" ? `${text.slice(0, form.head)}...${text.slice(text.length - form.tail)}` : text;
}

const argsIn = (args: JsonObject, form: PartForm | undefined): JsonObject =>
  form?.form === "reference" ? { folded: true } : args;
