import {
  type AssistantEntry,
  isNote,
  type LogEntry,
  type PromptMessage,
  type ResultEntry,
  type UserEntry,
} from "@cm/context-log";
import { nonEmpty } from "@cm/object-model";
import { argsChars } from "./content.ts";

/** Stands where text was erased (SSOT 3.9). */
const erasedMark = "[erased]";

export type SpokenEntry = UserEntry | AssistantEntry | ResultEntry;

/** Notes are ours; everything else came from the user, the model or a tool, unless it left the prompt. */
export const isSpoken = (entry: LogEntry): entry is SpokenEntry => !isNote(entry) && entry.kind !== "omitted";

/**
 * An entry as the agent alone would send it, with nothing of ours. A result without known text is empty; where the
 * text was erased since, a mark says so.
 */
export function verbatimMessage(entry: SpokenEntry, erased = false): PromptMessage {
  if (entry.kind === "user") return memoizedMessage(entry, "verbatim", () => userMessage(entry, entry.text));
  if (entry.kind === "assistant") return assistantMessage(entry);
  if (entry.text !== null || !erased) {
    return memoizedMessage(entry, "verbatim", () =>
      resultMessage(entry, { id: `${entry.at}`, text: entry.text ?? "" }),
    );
  }
  // Layout `log` says it in other words, under its own name.
  const suffix = "verbatim~erased";
  return memoizedMessage(entry, suffix, () => resultMessage(entry, { id: `${entry.at}~${suffix}`, text: erasedMark }));
}

/** A user message whose text may have been escaped; the id says so, since one id means one text. */
export function userMessage(entry: UserEntry, text: string): PromptMessage {
  return {
    id: text === entry.text ? `${entry.at}` : `${entry.at}~escaped`,
    role: "user",
    text,
    chars: text.length,
    ...attached(entry),
  };
}

/** Thinking and signatures bind the message to its bytes: they go where arguments or text of it are shortened. */
export function assistantMessage(entry: AssistantEntry): PromptMessage {
  return memoizedMessage(entry, "verbatim", () => ({
    id: `${entry.at}`,
    role: "assistant",
    text: entry.text,
    chars: entry.calls.reduce((sum, call) => sum + argsChars(call.args), entry.text.length),
    ...nonEmpty({
      thinking: entry.thinking,
      calls: entry.calls.map(({ callId, tool, args }) => ({ callId, tool, args })),
    }),
  }));
}

/** The answer to a call, with this text; attachments go with it unless the text was folded. */
export function resultMessage(
  entry: ResultEntry,
  shown: { readonly id: string; readonly text: string; readonly folded?: boolean },
): PromptMessage {
  return {
    id: shown.id,
    role: "tool",
    text: shown.text,
    chars: shown.text.length,
    callId: entry.callId,
    ...(entry.status === "fail" ? { failed: true } : {}),
    ...(shown.folded === true ? {} : attached(entry)),
  };
}

function attached(entry: UserEntry | ResultEntry): Pick<PromptMessage, "attachments"> {
  return nonEmpty({ attachments: entry.attachments });
}

/** Weak: an entry lives as long as its log, and each form that it once had would keep a copy of its text. */
const made = new WeakMap<LogEntry, Map<string, WeakRef<PromptMessage>>>();

/**
 * The message of an entry, made once for as long as it is referenced, for example by a prompt. `key` names all that
 * the message depends on besides the entry, which never changes, so a kept message equals a new one; keeping it spares
 * the text and lets later requests share the object.
 */
export function memoizedMessage(entry: LogEntry, key: string, make: () => PromptMessage): PromptMessage {
  const messages = made.get(entry) ?? new Map<string, WeakRef<PromptMessage>>();
  const known = messages.get(key)?.deref();
  if (known !== undefined) return known;
  if (messages.size === 0) made.set(entry, messages);
  for (const [other, message] of messages) if (message.deref() === undefined) messages.delete(other);
  const message = make();
  messages.set(key, new WeakRef(message));
  return message;
}
