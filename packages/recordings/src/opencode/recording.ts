import { ImageCount, imageAtUrl } from "../image.ts";
import type {
  RecordedAssistant,
  RecordedCall,
  RecordedEvent,
  RecordedResult,
  RecordedThinking,
  RecordedUsage,
  RecordingContent,
  RecordingOptions,
} from "../recording.ts";
import type { OpencodeFile, OpencodeMessage, OpencodePart, OpencodeSession, OpencodeTokens } from "./message.ts";

type ToolPart = Extract<OpencodePart, { type: "tool" }>;
/** One call of the model: its parts, and what ended it. */
type Step = { readonly parts: OpencodePart[]; finish?: Extract<OpencodePart, { type: "step-finish" }> };

export interface OpencodeRead {
  readonly session: OpencodeSession;
  /** In the order of the session; null for what could not be read. */
  readonly messages: readonly (OpencodeMessage | null)[];
}

/** A message of the model is the work of several calls; each step of it is an event with the results of its tools. */
export function opencodeRecording(read: OpencodeRead, options: RecordingOptions): RecordingContent {
  const { activePath = false, branches = false } = options;
  const { session } = read;
  const readable = read.messages.filter((message) => message !== null);
  const messages = activePath ? beforeRevert(readable, session) : readable;
  const images = new ImageCount();
  const eventsOf = (message: OpencodeMessage): readonly RecordedEvent[] =>
    message.info.role === "user" ? userEvents(message, images) : assistantEvents(message, images);
  const events = messages.flatMap(eventsOf);
  const bad = read.messages.length - readable.length;
  return {
    sessionId: session.id,
    cwd: session.directory,
    systemPrompt: readable.find(({ info }) => info.system !== "")?.info.system ?? "",
    events,
    ...(branches && leafOf(beforeRevert(readable, session).flatMap(eventsOf), events)),
    skipped: { count: 0, first: [] },
    warnings: [
      ...images.warnings(),
      ...(bad === 0 ? [] : [`${bad === 1 ? "1 message is" : `${bad} messages are`} unreadable and left out.`]),
    ],
  };
}

/** What the user took back stands in the session until the next prompt. */
function beforeRevert(messages: readonly OpencodeMessage[], { revert }: OpencodeSession): readonly OpencodeMessage[] {
  if (revert === undefined) return messages;
  const at = messages.findIndex(({ info }) => info.id === revert.messageID);
  const message = messages[at];
  if (message === undefined) return messages;
  const part = revert.partID === undefined ? 0 : message.parts.findIndex(({ id }) => id === revert.partID);
  const kept = part > 0 ? [{ ...message, parts: message.parts.slice(0, part) }] : [];
  return [...messages.slice(0, at), ...kept];
}

/** What was taken back stays behind the place where the session stands. */
function leafOf(kept: readonly RecordedEvent[], all: readonly RecordedEvent[]): Pick<RecordingContent, "leaf"> {
  return kept.length === all.length ? {} : { leaf: kept.length === 0 ? null : kept.length - 1 };
}

function userEvents({ info, parts }: OpencodeMessage, images: ImageCount): readonly RecordedEvent[] {
  const said = parts.flatMap((part) => (part.type === "text" && !part.ignored ? [part.text] : []));
  const attachments = imagesIn(
    parts.filter((part) => part.type === "file"),
    images,
  );
  // A message that only asks for a summary says nothing.
  if (said.length + attachments.length === 0) return [];
  return [{ kind: "user", text: said.join("\n"), attachments, ...timeOf(info.time.created) }];
}

function assistantEvents(message: OpencodeMessage, images: ImageCount): readonly RecordedEvent[] {
  const steps = stepsOf(message);
  return steps.flatMap((step, place) => {
    const tools = step.parts.filter((part) => part.type === "tool");
    const results = tools.flatMap((part) => resultOf(part, images));
    return [answerOf(step, message, { isLast: place === steps.length - 1 }), ...results];
  });
}

/** A call that was cut off has no end, and one that failed at once has no parts. */
function stepsOf({ parts }: OpencodeMessage): readonly Step[] {
  const steps: Step[] = [];
  let open: Step | undefined;
  for (const part of parts) {
    if (part.type === "step-start" || open === undefined) {
      open = { parts: [] };
      steps.push(open);
    }
    if (part.type === "step-finish") {
      open.finish = part;
      open = undefined;
    } else open.parts.push(part);
  }
  return steps;
}

function answerOf(
  { parts, finish }: Step,
  { info }: OpencodeMessage,
  { isLast }: { readonly isLast: boolean },
): RecordedAssistant {
  const tokens = finish?.tokens ?? (isLast ? info.tokens : undefined);
  const stopReason = finish?.reason ?? (isLast ? stopOf(info) : undefined);
  const begun = parts.flatMap((part) => startOf(part) ?? [])[0] ?? info.time.created;
  const isSpent = tokens !== undefined && tokens.input + tokens.output + tokens.cache.read + tokens.cache.write > 0;
  return {
    kind: "assistant",
    text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    thinking: parts.flatMap((part): RecordedThinking[] => (part.type === "reasoning" ? [{ text: part.text }] : [])),
    calls: parts.flatMap(callOf),
    ...(isSpent && { usage: usageOf(tokens) }),
    ...(info.modelID !== undefined && { model: info.modelID }),
    ...(stopReason !== undefined && { stopReason }),
    ...timeOf(begun),
  };
}

function stopOf({ error, finish }: OpencodeMessage["info"]): string | undefined {
  if (error === undefined) return finish;
  return error.name === "MessageAbortedError" ? "aborted" : "error";
}

function startOf(part: OpencodePart): number | undefined {
  if (part.type === "tool") return part.state?.time.start;
  return part.type === "text" || part.type === "reasoning" ? part.time.start : undefined;
}

function callOf(part: OpencodePart): readonly RecordedCall[] {
  return part.type === "tool" ? [{ id: part.callID, name: part.tool, args: part.state?.input ?? {} }] : [];
}

/** None for a call that never came to an end. */
function resultOf({ callID, tool, state }: ToolPart, images: ImageCount): readonly RecordedResult[] {
  if (state === undefined || (state.status !== "completed" && state.status !== "error")) return [];
  const isError = state.status === "error";
  return [
    {
      ...{ kind: "result", callId: callID, tool, text: isError ? state.error : state.output },
      failed: isError || state.metadata.exit !== 0,
      attachments: imagesIn(state.attachments, images),
      ...timeOf(state.time.end),
    },
  ];
}

/** Newer versions count thinking beside the output and say the total of all; older ones count it in the output. */
function usageOf({ total, input, output, cache }: OpencodeTokens): RecordedUsage {
  const rest = total === undefined ? output : total - input - cache.read - cache.write;
  return { input, output: Math.max(output, rest), cacheRead: cache.read, cacheWrite: cache.write };
}

/** Other files stand as text beside their part. */
function imagesIn(files: readonly OpencodeFile[], images: ImageCount) {
  return images.readable(files.filter(({ mime }) => mime.startsWith("image/")).map(({ url }) => imageAtUrl(url)));
}

function timeOf(ms: number | undefined): { readonly at?: Date } {
  const at = new Date(ms ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? {} : { at };
}
