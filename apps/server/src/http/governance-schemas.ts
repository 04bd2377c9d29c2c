import { z } from "@hono/zod-openapi";
import { runInput } from "../runs/run-input.ts";
import { taskSetting } from "./schemas.ts";

const id = z.string().min(1).max(256);
const time = z.iso.datetime({ offset: true });

export const approvalParam = z.object({ approval_id: id });

export const approvalAnswer = z
  .strictObject({
    decision: z.enum(["approved", "denied"]),
    /** When the person decided, by their clock. */
    client_at: time.optional(),
  })
  .openapi("ApprovalAnswer");

const risk = z.enum(["low", "medium", "high"]);

export const approval = z
  .object({
    approval_id: z.string(),
    workspace_id: z.string(),
    session_id: z.string(),
    task_id: z.string(),
    step_id: z.string(),
    tool_call_id: z.string(),
    tool: z.string(),
    capability: z.string(),
    risk,
    rule: z.string().nullable(),
    summary: z.string(),
    requested_at: z.string(),
    /** From then on it is denied. */
    expires_at: z.string(),
  })
  .openapi("Approval", { description: "A call that waits for a person." });

export const decidedApproval = z
  .object({
    approval_id: z.string(),
    decision: z.enum(["approved", "denied"]),
    /** The name of the token that answered. */
    decided_by: z.string(),
    decided_at: z.string(),
    client_at: z.string().nullable(),
  })
  .openapi("DecidedApproval");

export const workspaceParam = z.object({ workspace_id: id });
export const governedSessionParam = z.object({ session_id: id });
export const taskParam = z.object({ session_id: id, task_id: id });
export const artifactParam = z.object({ artifact_id: id });

export const workspace = z
  .object({
    workspace_id: z.string(),
    workspace_scope: z.enum(["local", "general", "cloud"]),
    local_path: z.string().nullable(),
    tenant_id: z.string(),
    user_id: z.string(),
    created_at: z.string(),
    last_active_at: z.string(),
  })
  .openapi("Workspace");

export const listedSession = z
  .object({
    session_id: z.string(),
    status: z.string(),
    created_at: z.string(),
    last_task_at: z.string().nullable(),
    task_count: z.int(),
  })
  .openapi("ListedSession");

const incompleteTask = z
  .object({ task_id: z.string(), prompt: z.string(), last_step: z.int(), max_steps: z.int() })
  .openapi("IncompleteTask", { description: "A task that a crash interrupted." });

export const governedSession = z
  .object({
    ...{ workspace_id: z.string(), session_id: z.string(), tenant_id: z.string(), user_id: z.string() },
    execution_environment: z.enum(["desktop", "cloud_sandbox"]),
    status: z.string(),
    policy_bundle_version: z.string().nullable(),
    continued_from: z.string().nullable(),
    tokens_used: z.int(),
    created_at: z.string(),
    /** When its policy runs out. */
    expires_at: z.string(),
    /** Until when it may be resumed under another one. */
    resumable_until: z.string(),
    /** What is switched on for it. */
    feature_flags: z.record(z.string(), z.boolean()),
    incomplete_tasks: z.array(incompleteTask),
  })
  .openapi("GovernedSession");

export const task = z
  .object({
    ...{ workspace_id: z.string(), session_id: z.string(), task_id: z.string() },
    prompt: z.string().nullable(),
    max_steps: z.int(),
    allow_network: z.boolean(),
    approval_mode: z.enum(["always", "on_risky_actions", "never"]),
    status: z.enum(["running", "completed", "failed", "cancelled"]),
    steps: z.int(),
    reason: z.string().nullable(),
    started_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .openapi("Task");

export const artifact = z
  .object({
    artifact_id: z.string(),
    artifact_type: z.enum(["tool_output", "file_diff", "generated_file"]),
    ...{ workspace_id: z.string(), session_id: z.string() },
    ...{ task_id: z.string().nullable(), step_id: z.string().nullable() },
    name: z.string(),
    media_type: z.string(),
    encoding: z.enum(["text", "base64"]),
    created_at: z.string(),
  })
  .openapi("Artifact");

export const artifactWithBody = artifact.extend({ body: z.string().nullable() }).openapi("ArtifactWithBody");

export const history = z
  .object({
    artifact_type: z.literal("session_history"),
    ...{ workspace_id: z.string(), session_id: z.string() },
    snapshot_after_task_id: z.string().nullable(),
    snapshot_at: z.string(),
    messages: z.array(
      z.object({
        message_id: z.string(),
        session_id: z.string(),
        ...{ task_id: z.string().nullable(), step_id: z.string().nullable() },
        role: z.enum(["system", "user", "assistant", "tool"]),
        is_system: z.boolean(),
        content: z.string().nullable(),
        token_count: z.int(),
        timestamp: z.string(),
      }),
    ),
  })
  .openapi("SessionHistory");

export const checkpoint = z
  .object({
    ...{ workspace_id: z.string(), session_id: z.string() },
    policy_bundle_version: z.string().nullable(),
    tokens_used: z.int(),
    /** The task that runs, or that a crash interrupted. */
    active_task: incompleteTask.nullable(),
    /** Its newest step in the session's log. */
    cursor: z.object({ session: z.string(), step: z.int() }).nullable(),
    messages: z.array(
      z.object({
        message_id: z.string(),
        ...{ task_id: z.string().nullable(), step_id: z.string().nullable() },
        role: z.enum(["system", "user", "assistant", "tool"]),
        content: z.string().nullable(),
        token_count: z.int(),
        timestamp: z.string().nullable(),
      }),
    ),
  })
  .openapi("Checkpoint", { description: "Where a session stands that has not ended: a view of its log and records." });

/** Events are as the audit has them: the envelope is the same for all readers. */
export const auditEvent = z
  .object({
    eventId: z.string(),
    eventType: z.string(),
    timestamp: z.string(),
    ...{ tenantId: z.string(), userId: z.string(), workspaceId: z.string(), sessionId: z.string() },
    ...{ taskId: z.string().nullable(), stepId: z.string().nullable() },
    ...{ component: z.string(), boundedContext: z.string(), severity: z.string() },
    payload: z.record(z.string(), z.unknown()),
  })
  .openapi("AuditEvent");

export const auditQuery = {
  /** The first moment, and the first one that is not meant. */
  from: time.optional(),
  to: time.optional(),
};

export const continueBody = z
  .strictObject({ input: runInput, task: taskSetting.optional() })
  .openapi("ContinueRequest", { description: "The first prompt of the session that goes on." });
