import {
  type AttachmentRef,
  chatId,
  type DocumentOf,
  defined,
  erasedObjectId,
  fileTypeOf,
  keyframeId,
  leaseId,
  type ObjectDocument,
  objectIdOf,
  type PayloadOf,
  sealAttachment,
  sealDocument,
  sessionObjectId,
  sha256,
  standingId,
  stepId,
  systemPromptId,
} from "@cm/object-model";
import { sampleTypes } from "./sample-types.ts";

const chain = sha256("chain");

interface FileFacts {
  readonly filesystemId?: string;
  /** A source hash that is not the text's. */
  readonly etag?: string;
}

/** A file of the sample filesystem, with this text or none. */
export function file(
  path: string,
  text: string | null,
  { filesystemId = "fs-1", etag }: FileFacts = {},
): DocumentOf<"file"> {
  const sourceHash = etag ?? (text === null ? undefined : sha256(text));
  return sealDocument(
    { type: "file", source: { type: "filesystem", filesystemId, path } },
    {
      content: text,
      file_type: fileTypeOf(path),
      char_count: text?.length ?? 0,
      ...defined({ source_hash: sourceHash }),
      ...(text === null ? { null_reason: "deleted" } : {}),
    },
  );
}

export function fileId(path: string): string {
  return objectIdOf({ type: "file", source: { type: "filesystem", filesystemId: "fs-1", path } });
}

/** A tool call of session `s1` unless `fields` say otherwise. */
export function toolcall(
  id: string,
  text: string,
  fields: Partial<PayloadOf<"toolcall">> = {},
): DocumentOf<"toolcall"> {
  return sealDocument(
    { type: "toolcall", id },
    { content: text, tool: "bash", args: { command: "ls" }, status: "ok", chat_ref: chatId("s1"), ...fields },
  );
}

export function systemPrompt(session: string, text: string): DocumentOf<"system_prompt"> {
  return sealDocument(
    { type: "system_prompt", id: systemPromptId(session) },
    { content: text, session_ref: sessionObjectId(session) },
  );
}

/** An object of one of the two extra types. */
export function paper(type: "note" | "memo", id: string, text: string): ObjectDocument {
  return sealDocument({ type, id }, { content: text, session_ref: sessionObjectId("s1") }, sampleTypes);
}

export interface TicketFacts {
  readonly status?: string;
  readonly owner?: string | null;
  readonly labels?: unknown;
  readonly opened_at?: unknown;
  readonly session_ref?: string;
  readonly content?: string | null;
  /** A field that is not indexed. */
  readonly note?: string;
}

/** An object of the type that declares indexed fields. */
export function ticket(name: string, fields: TicketFacts = {}): ObjectDocument {
  const payload = { content: null, status: "open", ...fields };
  return sealDocument({ type: "ticket", id: `ticket:${name}` }, payload, sampleTypes);
}

export function attachment(text: string): { readonly document: DocumentOf<"attachment">; readonly ref: AttachmentRef } {
  return sealAttachment("image/png", Buffer.from(text));
}

/** The step `n` of a session, whose user message carries the attachments. */
export function step(session: string, n: number, attachments: readonly AttachmentRef[] = []): DocumentOf<"step"> {
  return sealDocument(
    { type: "step", id: stepId({ session, n }) },
    {
      content: null,
      session_ref: sessionObjectId(session),
      n,
      parent: n === 0 ? null : { session, n: n - 1 },
      messages: [
        { role: "user", text: `Prompt ${n}`, attachments: [...attachments] },
        { role: "assistant", text: "Done.", thinking: [{ text: "Hm.", signature: "c2ln" }] },
      ],
      turn: n,
      changes: { index: { added: ["call_1"] } },
      layout: "log/1",
      decision: { cut: null },
      basis: "b0",
      prompt_hash: chain,
      prompt_chars: 12,
      kept_chars: 0,
      recorded_at: 1_767_225_600_000,
    },
  );
}

/** The count makes a new version of the head. */
export function sessionHead(session: string, nextStep = 0): DocumentOf<"session"> {
  return sealDocument(
    { type: "session", id: sessionObjectId(session) },
    {
      content: null,
      chat_ref: chatId(session),
      system_prompt_ref: systemPromptId(session),
      status: "active",
      next_step: nextStep,
      head: null,
      chain,
      index_count: 0,
      pool_count: 0,
      active_count: 0,
      pinned_count: 0,
    },
  );
}

/** One document of each core type, all of session `s1` where they belong to one. */
export function oneOfEach(): readonly ObjectDocument[] {
  const session_ref = sessionObjectId("s1");
  const sets = { index: ["call_1"], pool: ["call_1"], active: [], pinned: [], dismissed: [], requested: [] };
  return [
    file("/w/a.ts", "const a = 1;\n"),
    toolcall("call_1", "a.ts\n", { args: { deep: [1, 2.5, null, { b: true }] }, args_display: "ls" }),
    sealDocument(
      { type: "chat", id: chatId("s1") },
      { content: null, session_ref, turn_count: 1, step_count: 1, toolcall_count: 1, chain, head: null },
    ),
    sessionHead("s1"),
    systemPrompt("s1", "Be brief."),
    step("s1", 0),
    sealDocument(
      { type: "keyframe", id: keyframeId({ session: "s1", n: 0 }) },
      { content: null, session_ref, n: 0, ...sets },
    ),
    sealDocument(
      { type: "standing", id: standingId({ session: "s1", n: 0 }) },
      { content: null, session_ref, n: 0, standing: "q1YqLkksSVWyUjA0MtFRykxRsjI0NgAA" },
    ),
    sealDocument(
      { type: "lease", id: leaseId("s1") },
      { content: null, session_ref, owner: "client-1", acquired_at: 1, expires_at: 2 },
    ),
    attachment("bytes").document,
    sealDocument(
      { type: "erased_object", id: erasedObjectId(file("/w/gone.ts", "")["xt/id"]) },
      { content: null, content_hashes: [chain] },
    ),
  ];
}
