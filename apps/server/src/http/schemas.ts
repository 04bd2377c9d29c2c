import { limits as governanceLimits } from "@cm/governance";
import { z } from "@hono/zod-openapi";
import { limits } from "../limits.ts";
import { runInput } from "../runs/run-input.ts";

/** What crosses the wire: requests are checked by these, and the OpenAPI document and the client are made of them. */

const id = z.string().min(1).max(100);
const folders = z.array(z.string().min(1).max(limits.pathCharsMax)).max(limits.foldersMax);
const metadata = z.record(z.string(), z.unknown());

const approvals = z
  .record(id, z.strictObject({ approved: z.boolean(), reason: z.string().max(10_000).optional() }))
  .openapi("UserInteractions", { description: "By tool call id. A call that waits and is not named is denied." });

const toolResults = z
  .record(id, z.unknown())
  .openapi("ToolResults", { description: "By tool call id. A call that waits and is not named has failed." });

const transport = z.enum(["sse", "stream"]).openapi("Transport", {
  description:
    "sse: the answer is the stream of events; stream: the answer comes at once, and `events` has the stream.",
});

export const taskSetting = z
  .strictObject({
    max_steps: z.int().min(1).max(governanceLimits.taskStepsMax).optional(),
    allow_network: z.boolean().optional(),
    approval_mode: z.enum(["always", "on_risky_actions", "never"]).optional(),
  })
  .openapi("TaskSetting", { description: "Of a governed server: what the run may, beside the session's policy." });

/** What every request for a run may say. */
const runRequest = {
  preset_id: z.string().min(1).optional(),
  workspace_id: z.string().min(1).optional(),
  project_ids: folders.optional(),
  input: runInput.optional(),
  user_interactions: approvals.optional(),
  tool_results: toolResults.optional(),
  transport: transport.optional(),
  task: taskSetting.optional(),
};

export const startBody = z
  .strictObject({ ...runRequest, conversation_id: id.optional(), metadata: metadata.optional() })
  .openapi("RunRequest");

export const forkBody = z
  .strictObject({
    ...runRequest,
    from_session_id: id.optional(),
    metadata: metadata.optional(),
    files: z.enum(["as_they_are", "as_they_were"]).optional(),
  })
  .openapi("ForkRequest");

export const fireBody = z.strictObject(runRequest).openapi("FireRequest");

export const executeBody = z
  .strictObject({ ...runRequest, parent_session_id: id.optional(), fork: z.boolean().optional() })
  .openapi("ExecuteRequest");

export const steerBody = z
  .strictObject({
    input: runInput,
    message_id: id.optional(),
    /** `at-end`: when the run would end, it goes on with it. */
    when: z.enum(["next-call", "at-end"]).optional(),
  })
  .openapi("SteerRequest");

export const updateBody = z
  .strictObject({
    title: z.string().max(limits.titleCharsMax).nullable().optional(),
    default_preset_id: z.string().min(1).nullable().optional(),
    metadata: metadata.nullable().optional(),
    status: z.enum(["active", "archived"]).optional(),
  })
  .openapi("ConversationPatch");

const usage = z
  .object({
    total_tokens: z.int(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    model_requests: z.int(),
  })
  .openapi("UsageSummary");

export const session = z
  .object({
    session_id: z.string(),
    parent_session_id: z.string().nullable(),
    conversation_id: z.string(),
    status: z.enum(["created", "committed", "awaiting_tool_results", "failed", "archived"]),
    session_type: z.enum(["agent", "async_subagent"]),
    transport,
    stream_key: z.string().nullable(),
    spawned_by: z.string().nullable(),
    preset_id: z.string().nullable(),
    subagent_name: z.string().nullable(),
    workspace_id: z.string().nullable(),
    project_ids: z.array(z.string()),
    input: z.unknown(),
    final_message: z.string().nullable(),
    run_summary: z.object({ duration_ms: z.int(), usage, usage_by_model: z.record(z.string(), usage) }).nullable(),
    /** The step that the snapshot is, and what it is read at. */
    step: z.object({ session: z.string(), n: z.int(), basis: z.string() }).nullable(),
    pending: z.array(z.object({ tool_call_id: z.string(), kind: z.enum(["approval", "call"]) })),
    failure: z.string().nullable(),
    created_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .openapi("Session", { description: "One run, and its snapshot once it is committed." });

export const sessionDetails = session
  .extend({
    display_messages: z.array(z.unknown()).nullable(),
    state: z
      .object({ context_state: z.unknown(), message_history: z.array(z.unknown()), environment_state: z.unknown() })
      .optional(),
  })
  .openapi("SessionDetails");

export const conversation = z
  .object({
    conversation_id: z.string(),
    title: z.string().nullable(),
    default_preset_id: z.string().nullable(),
    metadata,
    status: z.enum(["active", "archived"]),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi("Conversation");

const activeSession = z
  .object({ session_id: z.string(), stream_key: z.string().nullable(), transport })
  .openapi("ActiveSession");

export const conversationDetails = conversation
  .extend({
    latest_session: session.nullable(),
    active_session: activeSession.nullable(),
    mailbox: z.object({ pending_count: z.int() }),
  })
  .openapi("ConversationDetails");

export const turn = z
  .object({
    session_id: z.string(),
    session_type: z.enum(["agent", "async_subagent"]),
    input: z.unknown(),
    final_message: z.string().nullable(),
    created_at: z.string(),
    display_messages: z.array(z.unknown()).nullable().optional(),
  })
  .openapi("Turn");

export const mail = z
  .object({
    session_id: z.string(),
    subagent_name: z.string().nullable(),
    outcome: z.enum(["result", "failed"]),
  })
  .openapi("Mail");

export const started = z
  .object({ session_id: z.string(), conversation_id: z.string(), stream_key: z.string() })
  .openapi("Started");

export const problem = z
  .object({
    error: z.string(),
    message: z.string(),
    active_session: activeSession.optional(),
  })
  .openapi("Problem");

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ items: z.array(row), has_more: z.boolean(), next_cursor: z.string().nullable() });

/** Rows of a page. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(limits.pageRowsMax).optional(),
  cursor: z.string().max(2_000).optional(),
};

/** By what runs are found: the status and the fields that the seed calls a session's metadata. */
export const runFilter = {
  status: session.shape.status.optional(),
  session_type: session.shape.session_type.optional(),
  transport: transport.optional(),
  parent_session_id: id.optional(),
  spawned_by: id.optional(),
  preset_id: z.string().min(1).max(256).optional(),
};

export const conversationParam = z.object({ conversation_id: id });
export const sessionParam = z.object({ session_id: id });

export type StartBody = z.infer<typeof startBody>;
export type ExecuteBody = z.infer<typeof executeBody>;
export type WireSession = z.infer<typeof session>;
export type WireConversation = z.infer<typeof conversation>;
