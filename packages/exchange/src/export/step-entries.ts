import { createHash } from "node:crypto";
import type { AgentMessage, SessionEntry } from "@cm/journal";
import type { DocumentOf, JsonObject, ObjectDocument, StepMessage } from "@cm/object-model";
import { isDocumentOf } from "@cm/object-model";
import { erasedMark } from "../journal/entry-text.ts";

type Step = DocumentOf<"step">;
type Documents = ReadonlyMap<string, ObjectDocument>;

/** What the entries of a step are made of. */
export interface StepFacts {
  readonly session: string;
  readonly step: Pick<Step, "messages" | "n" | "recorded_at" | "requested_at" | "usage" | "replaces">;
  readonly parentId: string | null;
  readonly documents: Documents;
  readonly ids: Set<string>;
}

/** Counts texts that were erased. */
export interface MadeEntries {
  readonly entries: readonly SessionEntry[];
  readonly erased: number;
}

/** A step that no file had, as entries of a session file: what was said before, the answer, the results. */
export function stepEntries({ session, step, parentId, documents, ids }: StepFacts): MadeEntries {
  const entries: SessionEntry[] = [];
  let erased = 0;
  let parent = parentId;
  const answerAt = step.messages.findIndex(({ role }) => role === "assistant");
  for (const [place, message] of step.messages.entries()) {
    const id = freshId(`${session} ${step.n} ${place}`, ids);
    const at = (place < answerAt ? step.requested_at : undefined) ?? step.recorded_at;
    const gone = step.replaces?.texts.filter((text) => text.message === place).map(({ part }) => part) ?? [];
    const made = messageOf(withMark(message, gone), { step, documents, at });
    erased += made.erased + gone.length;
    const timestamp = new Date(at).toISOString();
    entries.push({ type: "message", id, parentId: parent, timestamp, message: made.message });
    parent = id;
  }
  return { entries, erased };
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
}

/** What was erased of a step is named where it stood. */
function withMark(message: StepMessage, gone: readonly string[]): StepMessage {
  return message.role === "tool" || !gone.includes("text") ? message : { ...message, text: erasedMark };
}

function messageOf(message: StepMessage, around: Around): { message: AgentMessage; erased: number } {
  const timestamp = around.at;
  if (message.role === "user") {
    const { content, erased } = contentOf(message.text, message.attachments ?? [], around.documents);
    return { message: { role: "user", content, timestamp }, erased };
  }
  if (message.role === "assistant") return { message: assistantMessage(message, around), erased: 0 };
  const document = around.documents.get(message.object);
  const call = isDocumentOf(document, "toolcall") ? document : undefined;
  const { content, erased } = contentOf(
    call?.content ?? (call === undefined ? erasedMark : ""),
    call?.attachments ?? [],
    around.documents,
  );
  return {
    message: {
      ...{
        role: "toolResult",
        toolCallId: message.call_id,
        toolName: call?.tool ?? calledTool(message.call_id, around.step),
        content,
      },
      ...{ isError: call?.status === "fail", timestamp },
    },
    erased: erased + (call === undefined ? 1 : 0),
  };
}

/** The name of a tool whose output is gone stands in the answer that called it. */
function calledTool(callId: string, { messages }: StepFacts["step"]): string {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
  return calls.find(({ call_id: id }) => id === callId)?.tool ?? "unknown";
}

type AttachmentRef = NonNullable<Extract<StepMessage, { role: "user" }>["attachments"]>[number];

function contentOf(text: string, attachments: readonly AttachmentRef[], documents: Documents) {
  let erased = 0;
  const images = attachments.flatMap(({ sha256, mime }) => {
    const data = documents.get(`attachment:${sha256}`)?.content;
    if (typeof data === "string") return [{ type: "image", data, mimeType: mime }];
    erased += 1;
    return [];
  });
  return { content: [...(text === "" && images.length > 0 ? [] : [{ type: "text", text }]), ...images], erased };
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
  const document = object === undefined ? undefined : documents.get(object);
  return isDocumentOf(document, "toolcall") ? (document.args as JsonObject) : {};
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
