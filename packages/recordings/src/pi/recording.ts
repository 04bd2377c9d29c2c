import {
  activePath,
  type Journal,
  type JsonLine,
  messageOf,
  messagesInFileOrder,
  parseJournal,
  type SessionEntry,
} from "@cm/journal";
import { ImageCount, toAttachment } from "../image.ts";
import type {
  RecordedAssistant,
  RecordedAttachment,
  RecordedCall,
  RecordedEvent,
  RecordedResult,
  RecordedThinking,
  RecordingContent,
  RecordingOptions,
} from "../recording.ts";
import { type ContentPart, textOf } from "./content.ts";
import { type AssistantMessage, type Message, type ToolResultMessage, toMessage } from "./message.ts";

/**
 * Reads the lines of a Pi or oh-my-pi session, also one whose header is lost.
 * @throws CmError `journal/not-a-session`.
 */
export function piRecording(lines: Iterable<JsonLine>, options: RecordingOptions): RecordingContent {
  const journal = parseJournal(lines, { headerless: true });
  const images = new ImageCount();
  const path = options.activePath ? activePath(journal) : undefined;
  const { cwd } = journal.header;
  const events = path === undefined ? eventsInFileOrder(journal, images) : eventsOnPath(path, images);
  return {
    sessionId: journal.header.id,
    cwd: typeof cwd === "string" && cwd !== "" ? cwd : undefined,
    systemPrompt: systemPromptIn(path ?? journal.entries),
    events,
    skipped: journal.skipped,
    warnings: [...problemWarnings(journal), ...images.warnings()],
  };
}

function systemPromptIn(entries: readonly SessionEntry[]): string {
  const prompt: unknown = entries.find((entry) => entry.type === "session_init")?.systemPrompt;
  return typeof prompt === "string" ? prompt : "";
}

/** The model's messages with user and tools, in all branches. Side chains are other agents' talk. */
function eventsInFileOrder(journal: Journal, images: ImageCount): readonly RecordedEvent[] {
  const toEvent = eventReader(images);
  return messagesInFileOrder(journal)
    .filter((entry) => !(entry as { isSidechain?: unknown }).isSidechain)
    .flatMap((entry) => {
      const message = toMessage(entry.message);
      return message === undefined ? [] : (toEvent(message, timeOf(entry, message)) ?? []);
    });
}

/** The same along one path, with what else was put into the context there: as user text, where it was put. */
function eventsOnPath(path: readonly SessionEntry[], images: ImageCount): readonly RecordedEvent[] {
  const toEvent = eventReader(images);
  return path.flatMap((entry) => {
    const message = toMessage(messageOf(entry));
    if (message === undefined) return [];
    const at = timeOf(entry, message);
    return toEvent(message, at) ?? injected(message, at) ?? [];
  });
}

type At = { readonly at?: Date };

function timeOf(entry: SessionEntry, message: Message): At {
  const at = [new Date(entry.timestamp), new Date(message.timestamp ?? Number.NaN)].find(
    (date) => !Number.isNaN(date.getTime()),
  );
  return at === undefined ? {} : { at };
}

/** Reads messages in order and remembers the names of their calls, for results that do not say which tool they are of. */
function eventReader(images: ImageCount): (message: Message, at: At) => RecordedEvent | undefined {
  const tools = new Map<string, string>();
  return (message, at) => {
    switch (message.role) {
      case "user":
        return { kind: "user", text: textOf(message.content), attachments: imagesOf(message.content, images), ...at };
      case "assistant": {
        const event = assistantEvent(message, at);
        for (const { id, name } of event.calls) tools.set(id, name);
        return event;
      }
      case "toolResult":
        return resultEvent(message, at, { tool: tools.get(message.toolCallId), images });
      default:
        return undefined;
    }
  };
}

function assistantEvent(message: AssistantMessage, at: At): RecordedAssistant {
  const { content, usage, model, stopReason } = message;
  return {
    kind: "assistant",
    text: textOf(content),
    thinking: content.flatMap(thinkingOf),
    calls: content.flatMap(callOf),
    ...(usage && { usage: pick(usage) }),
    ...(model !== undefined && { model }),
    ...(stopReason !== undefined && { stopReason }),
    ...at,
  };
}

function pick({ input, output, cacheRead, cacheWrite }: NonNullable<AssistantMessage["usage"]>) {
  return { input, output, cacheRead, cacheWrite };
}

function thinkingOf(part: ContentPart): readonly RecordedThinking[] {
  if (part.type !== "thinking") return [];
  const { thinking: text, thinkingSignature: signature, redacted } = part;
  return [{ text, ...(signature !== undefined && { signature }), ...(redacted && { redacted }) }];
}

function callOf(part: ContentPart): readonly RecordedCall[] {
  return part.type === "toolCall" ? [{ id: part.id, name: part.name, args: part.arguments }] : [];
}

function resultEvent(
  message: ToolResultMessage,
  at: At,
  { tool, images }: { readonly tool: string | undefined; readonly images: ImageCount },
): RecordedResult {
  return {
    kind: "result",
    callId: message.toolCallId,
    tool: message.toolName ?? tool,
    text: textOf(message.content),
    failed: message.isError,
    attachments: imagesOf(message.content, images),
    ...at,
  };
}

function imagesOf(content: readonly ContentPart[], images: ImageCount): readonly RecordedAttachment[] {
  const found = content.filter((part) => part.type === "image");
  return images.readable(found.map((part) => toAttachment(part.data, part.mimeType)));
}

/** Text that Pi sends as the user's without a prompt of the user. */
function injected(message: Message, at: At): RecordedEvent | undefined {
  const text = injectedText(message);
  return text === undefined ? undefined : { kind: "user", text, attachments: [], ...at };
}

function injectedText(message: Message): string | undefined {
  switch (message.role) {
    case "custom":
      return textOf(message.content);
    case "branchSummary":
    case "compactionSummary":
      return message.summary;
    case "bashExecution":
      return message.excludeFromContext ? undefined : `Ran \`${message.command}\`\n${message.output}`;
    default:
      return undefined;
  }
}

function problemWarnings({ problems }: Journal): readonly string[] {
  const [first] = problems.first;
  if (first === undefined) return [];
  const rest = problems.count > 1 ? ` and ${problems.count - 1} more` : "";
  return [`The session file has oddities: ${first.kind} in line ${first.line}${rest}.`];
}
