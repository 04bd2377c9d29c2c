import type {
  ArtifactFields,
  IncompleteTask,
  ListedSession,
  SessionFields,
  SessionHistory,
  TaskFields,
  WorkspaceFields,
} from "@cm/workspace";
import type { Checkpoint } from "../runs/checkpoint.ts";

/** Records of governed sessions as they cross the wire. */

const isoOf = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

export const wireWorkspace = ({ workspace_id, scope, local_path, tenant_id, user_id, ...at }: WorkspaceFields) => ({
  ...{ workspace_id, workspace_scope: scope, local_path, tenant_id, user_id },
  ...{ created_at: isoOf(at.created_at), last_active_at: isoOf(at.last_active_at) },
});

export const wireListedSession = ({ sessionId, status, createdAt, lastTaskAt, taskCount }: ListedSession) => ({
  ...{ session_id: sessionId, status, created_at: isoOf(createdAt) },
  ...{ last_task_at: isoOrNull(lastTaskAt), task_count: taskCount },
});

export const wireGovernedSession = (fields: SessionFields, status: string, incomplete: readonly IncompleteTask[]) => ({
  ...{ workspace_id: fields.workspace_id, session_id: fields.session_id },
  ...{ tenant_id: fields.tenant_id, user_id: fields.user_id, execution_environment: fields.execution_environment },
  ...{ status, policy_bundle_version: fields.policy_bundle_version, continued_from: fields.continued_from },
  ...{ tokens_used: fields.tokens_used, created_at: isoOf(fields.created_at), expires_at: isoOf(fields.expires_at) },
  resumable_until: isoOf(fields.resumable_until ?? fields.expires_at),
  feature_flags: { ...fields.feature_flags },
  incomplete_tasks: incomplete.map(wireIncomplete),
});

export const wireCheckpoint = ({ session, activeTask, cursor, messages }: Checkpoint) => ({
  ...{ workspace_id: session.workspace_id, session_id: session.session_id },
  ...{ policy_bundle_version: session.policy_bundle_version, tokens_used: session.tokens_used },
  active_task: activeTask === null ? null : wireIncomplete(activeTask),
  cursor: cursor === null ? null : { session: cursor.session, step: cursor.n },
  messages: messages.map(({ messageId, taskId, stepId, role, content, tokenCount, timestamp }) => ({
    ...{ message_id: messageId, task_id: taskId, step_id: stepId, role, content },
    ...{ token_count: tokenCount, timestamp },
  })),
});

const wireIncomplete = ({ taskId, prompt, lastStep, maxSteps }: IncompleteTask) => ({
  ...{ task_id: taskId, prompt, last_step: lastStep, max_steps: maxSteps },
});

export const wireTask = (fields: TaskFields) => ({
  ...{ workspace_id: fields.workspace_id, session_id: fields.session_id, task_id: fields.task_id },
  ...{ prompt: fields.prompt, max_steps: fields.max_steps, allow_network: fields.allow_network },
  ...{ approval_mode: fields.approval_mode, status: fields.status, steps: fields.steps, reason: fields.reason },
  ...{ started_at: isoOf(fields.started_at), ended_at: isoOrNull(fields.ended_at) },
});

export const wireArtifact = (fields: ArtifactFields) => ({
  ...{ artifact_id: fields.artifact_id, artifact_type: fields.artifact_type },
  ...{ workspace_id: fields.workspace_id, session_id: fields.session_id },
  ...{ task_id: fields.task_id, step_id: fields.step_id },
  ...{ name: fields.name, media_type: fields.media_type, encoding: fields.encoding },
  created_at: isoOf(fields.created_at),
});

export const wireHistory = (history: SessionHistory) => ({
  ...{ artifact_type: history.artifactType, workspace_id: history.workspaceId, session_id: history.sessionId },
  ...{ snapshot_after_task_id: history.snapshotAfterTaskId, snapshot_at: history.snapshotAt },
  messages: history.messages.map((message) => ({
    ...{
      message_id: message.messageId,
      session_id: message.sessionId,
      task_id: message.taskId,
      step_id: message.stepId,
    },
    ...{ role: message.role, is_system: message.isSystem, content: message.content },
    ...{ token_count: message.tokenCount, timestamp: message.timestamp },
  })),
});
