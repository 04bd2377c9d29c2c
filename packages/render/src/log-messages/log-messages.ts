import {
  argsPart,
  type ContextView,
  type LogEntry,
  type PartForm,
  type PromptMessage,
  resultPart,
} from "@cm/object-model";
import { escapeText } from "../blocks/escape.ts";
import { onceFor } from "../messages/memo.ts";
import { userMessage } from "../messages/verbatim.ts";
import { assistantInForms } from "./assistant.ts";
import { aliasOf, fullForm } from "./part-forms.ts";
import { recalledInForm } from "./recalled.ts";
import { resultInForm } from "./result.ts";
import { resumedMessage } from "./resumed.ts";

/** The message of an entry whose parts stand in these forms. */
export function logMessage(view: ContextView, entry: LogEntry, formOf: (part: string) => PartForm): PromptMessage {
  switch (entry.kind) {
    case "user":
      return onceFor(entry, "escaped", () => userMessage(entry, escapeText(entry.text)));
    case "assistant":
      return assistantInForms(view, entry, formOf);
    case "result":
      return resultInForm(view, entry, formOf(resultPart(entry.at)));
    case "resumed":
      return resumedMessage(entry, "alias", (object) => aliasOf(view, object));
    case "recalled":
      return recalledInForm(view, entry, formOf(resultPart(entry.at)));
  }
}

/** What was rendered last for one place of a log, and from what. */
interface Slot {
  readonly entry: LogEntry;
  readonly parts: readonly string[];
  /** Forms of the parts, undefined for full. */
  readonly forms: readonly (PartForm | undefined)[];
  readonly message: PromptMessage;
}

const slotsOfLog = new WeakMap<readonly LogEntry[], Slot[]>();

/**
 * The messages of a whole log. Where entry and forms are the very objects of the last time, its message is too; this
 * is a look at each part and no work on its text. A text that was erased may change its mark and is made anew.
 */
export function logMessages(view: ContextView, begins: ReadonlyMap<string, PartForm>): PromptMessage[] {
  const slots = slotsOfLog.get(view.log) ?? [];
  slotsOfLog.set(view.log, slots);
  const messages: PromptMessage[] = [];
  for (let at = 0; at < view.log.length; at += 1) {
    const entry = view.log[at];
    if (entry === undefined) continue;
    let slot = slots[at];
    if (slot === undefined || slot.entry !== entry || !isCurrent(view, begins, slot)) {
      slot = slotOf(view, begins, entry);
      slots[at] = slot;
    }
    messages.push(slot.message);
  }
  return messages;
}

function isCurrent(view: ContextView, begins: ReadonlyMap<string, PartForm>, slot: Slot): boolean {
  if (slot.entry.kind === "result" && slot.entry.text === null) return false;
  for (let index = 0; index < slot.parts.length; index += 1) {
    const part = slot.parts[index] ?? "";
    const form = (begins.size === 0 ? undefined : begins.get(part)) ?? view.forms.get(part);
    if (form !== slot.forms[index]) return false;
  }
  return true;
}

function slotOf(view: ContextView, begins: ReadonlyMap<string, PartForm>, entry: LogEntry): Slot {
  const parts = partsOfEntry(entry);
  const forms = parts.map((part) => begins.get(part) ?? view.forms.get(part));
  const message = logMessage(view, entry, (part) => forms[parts.indexOf(part)] ?? fullForm);
  return { entry, parts, forms, message };
}

function partsOfEntry(entry: LogEntry): readonly string[] {
  if (entry.kind === "user" || entry.kind === "resumed") return [];
  if (entry.kind === "assistant")
    return entry.thinking.length > 0 ? [] : entry.calls.map((_, call) => argsPart(entry.at, call));
  return [resultPart(entry.at)];
}
