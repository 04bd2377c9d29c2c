import { featureFlags, sessionStates, taskStates } from "@cm/governance";
import { coreDocumentTypes, type DocumentType, type DocumentTypes, limits as modelLimits } from "@cm/object-model";
import * as z from "zod/mini";
import { limits } from "../limits.ts";

const name = z.string().check(z.minLength(1), z.maxLength(limits.nameCharsMax));
const count = z.int().check(z.gte(0));
const id = z.nullable(name);
const objectId = z.string().check(z.minLength(1), z.maxLength(modelLimits.idCharsMax));
const object = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected a JSON object",
);
/** `deleted`: a tombstone, whose texts are empty. */
const state = z.enum(["live", "deleted"]);
const message = z.nullable(z.string().check(z.maxLength(limits.messageCharsMax)));

/** No type keeps text in `content`: erasing such an object would take files with the same text along. */
const content = z.null();

const workspace = z.strictObject({
  content,
  workspace_id: name,
  /** `purged`: a purge takes what is in it, and nothing is written there any more. */
  state: z.enum(["live", "deleted", "purged"]),
  scope: z.enum(["local", "general", "cloud"]),
  tenant_id: name,
  user_id: name,
  local_path: z.nullable(z.string().check(z.maxLength(limits.pathCharsMax))),
  created_at: count,
  last_active_at: count,
});

const session = z.strictObject({
  content,
  workspace_id: name,
  session_id: name,
  state,
  tenant_id: name,
  user_id: name,
  execution_environment: z.enum(["desktop", "cloud_sandbox"]),
  status: z.enum(sessionStates),
  created_at: count,
  /** When its policy bundle runs out. */
  expires_at: count,
  /** Until when it may be resumed; absent in records from before it was asked for: until then. */
  resumable_until: z.optional(count),
  policy_bundle_version: id,
  /** Absent in records from before it was asked for. */
  feature_flags: z.optional(featureFlags),
  continued_from: id,
  tokens_used: count,
  task_count: count,
  last_task_at: z.nullable(count),
});

const task = z.strictObject({
  content,
  workspace_id: name,
  session_id: name,
  task_id: name,
  state,
  tenant_id: name,
  user_id: name,
  prompt: message,
  max_steps: count,
  allow_network: z.boolean(),
  approval_mode: z.enum(["always", "on_risky_actions", "never"]),
  status: z.enum(taskStates),
  steps: count,
  reason: z.nullable(z.string().check(z.maxLength(limits.nameCharsMax))),
  started_at: count,
  ended_at: z.nullable(count),
});

const chain = { workspace_id: name, session_id: name, task_id: id, step_id: id };

const artifact = z.strictObject({
  content,
  ...chain,
  state,
  artifact_id: name,
  artifact_type: z.enum(["tool_output", "file_diff", "generated_file"]),
  name: z.string().check(z.maxLength(limits.nameCharsMax)),
  media_type: z.string().check(z.maxLength(limits.nameCharsMax)),
  encoding: z.enum(["text", "base64"]),
  /** The tool call's object that has the text. */
  object: z.nullable(z.string()),
  body: z.nullable(z.string().check(z.maxLength(limits.artifactCharsMax))),
  created_at: count,
});

const threadMessage = z.strictObject({
  content,
  ...chain,
  state,
  message_id: name,
  role: z.enum(["system", "user", "assistant", "tool"]),
  /** Not part of what people said: a system prompt. */
  is_system: z.boolean(),
  text: message,
  object: z.nullable(z.string()),
  token_count: count,
  at: count,
});

const history = z.strictObject({
  content,
  workspace_id: name,
  session_id: name,
  state,
  snapshot_after_task: id,
  snapshot_at: count,
  /** Objects with the first messages, each as many as it takes; absent in histories that have none. */
  parts: z.optional(z.array(objectId).check(z.maxLength(limits.messagesPerSessionMax / limits.messagesPerPartMax))),
  /** The messages behind those of the parts. */
  messages: z.array(objectId).check(z.maxLength(limits.messagesPerSessionMax)),
});

const historyPart = z.strictObject({
  content,
  workspace_id: name,
  session_id: name,
  state,
  messages: z.array(objectId).check(z.maxLength(limits.messagesPerPartMax)),
  /** When its last message was said. */
  at: count,
});

const approval = z.strictObject({
  content,
  ...chain,
  approval_id: name,
  capability: name,
  risk: z.enum(["low", "medium", "high"]),
  approval_rule_id: id,
  decision: z.enum(["approved", "denied"]),
  by: z.enum(["answer", "silence", "ended"]),
  requested_at: count,
  decided_at: count,
  client_at: z.nullable(count),
  /** Who answered; absent in records from before it was asked for. */
  decided_by: z.optional(id),
});

const event = z.strictObject({
  content,
  ...chain,
  event_id: name,
  event_type: name,
  tenant_id: name,
  user_id: name,
  component: name,
  bounded_context: name,
  severity: name,
  at: count,
  payload: object,
});

const type = (name: string, payload: z.ZodMiniType, indexed: NonNullable<DocumentType["indexed"]>): DocumentType => ({
  type: name,
  role: "infrastructure",
  sourced: false,
  acceptsId: (id) => id.startsWith(`${name}:`),
  payload,
  indexed,
});

const types = [
  type("workspace", workspace, { fields: ["tenant_id", "user_id", "state"], newest: "last_active_at" }),
  type("governed_session", session, { fields: ["workspace_id", "state", "status"], newest: "created_at" }),
  type("task", task, { fields: ["workspace_id", "session_id", "status", "state"], newest: "started_at" }),
  type("artifact", artifact, {
    fields: ["workspace_id", "session_id", "artifact_type", "state"],
    newest: "created_at",
  }),
  type("thread_message", threadMessage, { fields: ["workspace_id", "session_id", "state"], newest: "at" }),
  type("session_history", history, { fields: ["workspace_id", "state"], newest: "snapshot_at" }),
  type("history_part", historyPart, { fields: ["workspace_id", "session_id", "state"], newest: "at" }),
  type("approval", approval, { fields: ["workspace_id", "session_id"], newest: "decided_at" }),
  type("governed_event", event, { fields: ["workspace_id", "session_id", "event_type"], newest: "at" }),
];

/** The types of this package beside those of a list: what the store for records is opened with. */
export const withWorkspaceTypes = (given: DocumentTypes = coreDocumentTypes): DocumentTypes => given.extend(...types);

export type WorkspaceFields = z.infer<typeof workspace>;
export type SessionFields = z.infer<typeof session>;
export type TaskFields = z.infer<typeof task>;
export type ArtifactFields = z.infer<typeof artifact>;
export type MessageFields = z.infer<typeof threadMessage>;
export type HistoryFields = z.infer<typeof history>;
export type HistoryPartFields = z.infer<typeof historyPart>;
export type ApprovalFields = z.infer<typeof approval>;
export type EventFields = z.infer<typeof event>;

export interface RecordFields {
  workspace: WorkspaceFields;
  governed_session: SessionFields;
  task: TaskFields;
  artifact: ArtifactFields;
  thread_message: MessageFields;
  session_history: HistoryFields;
  history_part: HistoryPartFields;
  approval: ApprovalFields;
  governed_event: EventFields;
}
export type RecordType = keyof RecordFields;

/**
 * The types that go with their workspace, in the order in which they go: what names others is gone before they are.
 * Approvals and events are the audit, and stay.
 */
export const ownedTypes = [
  "session_history",
  "history_part",
  "thread_message",
  "artifact",
  "task",
  "governed_session",
] as const;
