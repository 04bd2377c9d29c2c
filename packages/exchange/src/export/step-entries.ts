import { createHash } from "node:crypto";
import { erasedMark } from "@cm/context-log/state";
import type { AgentMessage, SessionEntry } from "@cm/journal";
import type { DocumentOf, JsonObject, StepMessage } from "@cm/object-model";
import { isDocumentOf } from "@cm/object-model";
import { type GoneTexts, markFor, type ReadDocument } from "../journal/gone-texts.ts";

type Step = DocumentOf<"step">;
type Documents = ReadonlyMap<string, ReadDocument>;

/** What the entries of a step are made of. */
export interface StepFacts {
  readonly session: string;
  readonly step: Pick<Step, "messages" | "n" | "recorded_at" | "requested_at" | "usage" | "replaces">;
  readonly parentId: string | null;
  readonly documents: Documents;
  readonly ids: Set<string>;
  readonly gone: GoneTexts;
}

/** A step that no file had, as entries of a session file: what was said before, the answer, the results. */
export function stepEntries({ session, step, parentId, documents, ids, gone }: StepFacts): readonly SessionEntry[] {
  const entries: SessionEntry[] = [];
  let parent = parentId;
  const answerAt = step.messages.findIndex(({ role }) => role === "assistant");
  for (const [place, message] of step.messages.entries()) {
    const id = freshId(`${session} ${step.n} ${place}`, ids);
    const at = (place < answerAt ? step.requested_at : undefined) ?? step.recorded_at;
    const erased = step.replaces?.texts.filter((text) => text.message === place).map(({ part }) => part) ?? [];
    gone.erased += erased.length;
    const made = messageOf(withMark(message, erased), { step, documents, at, gone });
    const timestamp = new Date(at).toISOString();
    entries.push({ type: "message", id, parentId: parent, timestamp, message: made });
    parent = id;
  }
  return entries;
}

/** The same for the same step, so that a second export gives the same file. */
export function freshId(name: string, ids: Set<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const id = createHash("sha256").update(`${name} ${attempt}`).digest("hex").slice(0, 8);
    if (ids.has(id)) continue;
    ids.add(id);
    return id;
  }
}

interface Around {
  readonly step: StepFacts["step"];
  readonly documents: Documents;
  /** When the message came, in milliseconds. */
  readonly at: number;
  readonly gone: GoneTexts;
}

/** What was erased of a step is named where it stood. */
function withMark(message: StepMessage, erased: readonly string[]): StepMessage {
  return message.role === "tool" || !erased.includes("text") ? message : { ...message, text: erasedMark };
}

function messageOf(message: StepMessage, around: Around): AgentMessage {
  const timestamp = around.at;
  if (message.role === "user") {
    return { role: "user", content: contentOf(message.text, message.attachments ?? [], around), timestamp };
  }
  if (message.role === "assistant") return assistantMessage(message, around);
  const document = around.documents.get(message.object);
  const call = toolcallOf(document);
  const text = call === undefined ? markFor(document, around.gone) : (call.content ?? "");
  return {
    ...{ role: "toolResult", toolCallId: message.call_id },
    ...{ toolName: call?.tool ?? calledTool(message.call_id, around.step) },
    ...{ content: contentOf(text, call?.attachments ?? [], around), isError: call?.status === "fail", timestamp },
  };
}

const toolcallOf = (document: ReadDocument | undefined): DocumentOf<"toolcall"> | undefined =>
  document !== "missing" && isDocumentOf(document, "toolcall") ? document : undefined;

/** The name of a tool whose output is gone stands in the answer that called it. */
function calledTool(callId: string, { messages }: StepFacts["step"]): string {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
  return calls.find(({ call_id: id }) => id === callId)?.tool ?? "unknown";
}

type AttachmentRef = NonNullable<Extract<StepMessage, { role: "user" }>["attachments"]>[number];

function contentOf(text: string, attachments: readonly AttachmentRef[], { documents, gone }: Around) {
  const images = attachments.flatMap(({ sha256, mime }) => {
    const document = documents.get(`attachment:${sha256}`);
    const data = document === "missing" ? undefined : document?.content;
    if (typeof data === "string") return [{ type: "image", data, mimeType: mime }];
    markFor(document, gone);
    return [];
  });
  return [...(text === "" && images.length > 0 ? [] : [{ type: "text", text }]), ...images];
}

type Assistant = Extract<StepMessage, { role: "assistant" }>;

function assistantMessage(
  { text, thinking = [], calls = [], model, stop_reason, ...by }: Assistant,
  { step, documents, at: timestamp }: Around,
): AgentMessage {
  const content = [
    ...thinking.map(({ text: thought, signature, redacted }) => ({
      ...{ type: "thinking", thinking: thought },
      ...(signature === undefined ? {} : { thinkingSignature: signature }),
      ...(redacted === true ? { redacted } : {}),
    })),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ call_id, tool, object, args }) => ({
      ...{ type: "toolCall", id: call_id, name: tool },
      arguments: args ?? argsOf(object, documents),
    })),
  ];
  const likely = likelyProvider(model);
  const { provider = likely.provider, api = provider === likely.provider ? likely.api : "unknown" } = by;
  return {
    ...{ role: "assistant", content, api, provider, model: model ?? "unknown", usage: usageOf(step) },
    ...{ stopReason: stop_reason ?? (calls.length > 0 ? "toolUse" : "stop"), timestamp },
  };
}

function argsOf(object: string | undefined, documents: Documents): JsonObject {
  const call = object === undefined ? undefined : toolcallOf(documents.get(object));
  return (call?.args ?? {}) as JsonObject;
}

/** Where a step says which model answered and not by which provider: the one that makes it. */
function likelyProvider(model = ""): { readonly provider: string; readonly api: string } {
  if (/^(gpt|o\d|codex)/.test(model)) return { provider: "openai", api: "openai-responses" };
  if (/^gemini/.test(model)) return { provider: "google", api: "google-generative-ai" };
  return { provider: "anthropic", api: "anthropic-messages" };
}

function usageOf({ usage }: StepFacts["step"]) {
  const { input = 0, output = 0, cache_read: cacheRead = 0, cache_write: cacheWrite = 0 } = usage ?? {};
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, cost };
}
