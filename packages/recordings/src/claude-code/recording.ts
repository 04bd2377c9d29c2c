import type { JsonLine } from "@cm/journal";
import { ImageCount, toAttachment } from "../image.ts";
import type {
  RecordedAssistant,
  RecordedCall,
  RecordedEvent,
  RecordedResult,
  RecordedThinking,
  RecordedUser,
  RecordingContent,
  RecordingOptions,
} from "../recording.ts";
import { SkippedLines } from "../skipped-lines.ts";
import { type ClaudeCodeInnerPart, type ClaudeCodeLine, type ClaudeCodePart, toClaudeCodeLine } from "./line.ts";
import { linesOnPath } from "./path.ts";
import { eventTree, type SpokenLine } from "./tree.ts";

/** Reads the lines of a Claude Code transcript one by one and keeps what replay needs. */
export class ClaudeCodeReader {
  readonly #lines: ClaudeCodeLine[] = [];
  readonly #skipped = new SkippedLines();

  readonly #options: RecordingOptions;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  add(line: JsonLine): void {
    if (line.value !== undefined) {
      this.#lines.push(toClaudeCodeLine(line.value));
      return;
    }
    this.#skipped.add(line.number);
  }

  recording(): RecordingContent {
    const images = new ImageCount();
    const { activePath, branches } = this.#options;
    const lines = activePath ? linesOnPath(this.#lines) : this.#lines;
    return {
      sessionId: this.#lines.find(({ sessionId }) => sessionId !== undefined)?.sessionId,
      cwd: this.#lines.find(({ cwd }) => cwd !== undefined)?.cwd,
      systemPrompt: "",
      ...(branches ? eventTree(lines, (talk) => spokenIn(talk, images)) : { events: eventsOf(lines, images) }),
      skipped: this.#skipped,
      warnings: images.warnings(),
    };
  }
}

function eventsOf(lines: readonly ClaudeCodeLine[], images: ImageCount): readonly RecordedEvent[] {
  const talk = lines.filter(({ isSidechain }) => !isSidechain);
  return spokenIn(talk, images).flatMap(({ events }) => events);
}

/** The events that each line begins, and the event that it adds to. */
function spokenIn(lines: readonly ClaudeCodeLine[], images: ImageCount): readonly SpokenLine[] {
  const answers = new Map<unknown, Answer>();
  const tools = new Map<string, string>();
  return lines.map((line) => {
    if (line.message === undefined) return { line, events: [], last: undefined };
    if (line.type === "user") {
      const events = userEvents(line, tools, images);
      return { line, events, last: events.at(-1) };
    }
    if (line.type !== "assistant") return { line, events: [], last: undefined };
    // A message is written in several lines, one for each of its parts.
    const known = answers.get(line.message.id);
    const answer = known ?? emptyAnswer(line);
    if (known === undefined) answers.set(line.message.id, answer);
    extend(answer, line.message);
    for (const { id, name } of answer.calls) tools.set(id, name);
    return { line, events: known === undefined ? [answer] : [], last: answer };
  });
}

/** An assistant event that is still growing. */
type Answer = { -readonly [Key in keyof RecordedAssistant]: RecordedAssistant[Key] } & {
  readonly thinking: RecordedThinking[];
  readonly calls: RecordedCall[];
};

function emptyAnswer(line: ClaudeCodeLine): Answer {
  return { kind: "assistant", text: "", thinking: [], calls: [], ...timeOf(line) };
}

function extend(answer: Answer, message: NonNullable<ClaudeCodeLine["message"]>): void {
  answer.text += textOf(message.content);
  for (const part of message.content) {
    if (part.type === "tool_use") answer.calls.push({ id: part.id, name: part.name, args: part.input });
    else answer.thinking.push(...thinkingOf(part));
  }
  // Each line repeats the figures of the whole message as far as they were known.
  if (message.usage !== undefined) answer.usage = message.usage;
  if (message.model !== undefined) answer.model = message.model;
  if (message.stop_reason !== undefined) answer.stopReason = message.stop_reason;
}

function thinkingOf(part: ClaudeCodePart): readonly RecordedThinking[] {
  if (part.type === "redacted_thinking") return [{ text: "", signature: part.data, redacted: true }];
  if (part.type !== "thinking") return [];
  return [{ text: part.thinking, ...(part.signature !== undefined && { signature: part.signature }) }];
}

/** Each text block and each tool result is an event; images between them go to the message's first text. */
function userEvents(
  line: ClaudeCodeLine,
  tools: ReadonlyMap<string, string>,
  images: ImageCount,
): readonly RecordedEvent[] {
  const content = line.message?.content ?? [];
  const attachments = images.readable(imagesIn(content));
  const at = timeOf(line);
  let given = false;
  const events = content.flatMap((part): (RecordedUser | RecordedResult)[] => {
    if (part.type === "tool_result") return [resultEvent(part, tools.get(part.tool_use_id), { at, images })];
    if (part.type !== "text") return [];
    const own = given ? [] : attachments;
    given = true;
    return [{ kind: "user", text: part.text, attachments: own, ...at }];
  });
  if (!given) images.leaveOut(attachments);
  return events;
}

function resultEvent(
  part: Extract<ClaudeCodePart, { type: "tool_result" }>,
  tool: string | undefined,
  { at, images }: { readonly at: { readonly at?: Date }; readonly images: ImageCount },
): RecordedResult {
  return {
    kind: "result",
    callId: part.tool_use_id,
    tool,
    text: textOf(part.content),
    failed: part.is_error,
    attachments: images.readable(imagesIn(part.content)),
    ...at,
  };
}

function imagesIn(content: readonly (ClaudeCodePart | ClaudeCodeInnerPart)[]) {
  return content.flatMap((part) =>
    part.type === "image" ? [toAttachment(part.source.data, part.source.media_type)] : [],
  );
}

function textOf(content: readonly (ClaudeCodePart | ClaudeCodeInnerPart)[]): string {
  return content
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}

function timeOf({ timestamp }: ClaudeCodeLine): { readonly at?: Date } {
  const at = new Date(timestamp ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? {} : { at };
}
