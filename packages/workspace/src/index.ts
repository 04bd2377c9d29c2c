export { AuditLog, type AuditPage } from "./audit/audit-log.ts";
export type { ExpiryOptions } from "./audit/expire-audit.ts";
export {
  type ApprovalFields,
  type ArtifactFields,
  type SessionFields,
  type TaskFields,
  type WorkspaceFields,
  withWorkspaceTypes,
} from "./documents/types.ts";
export type { WorkspaceErrorCode } from "./errors.ts";
export type { Artifact, NewArtifact } from "./lifecycle/artifacts.ts";
export type { Deletion } from "./lifecycle/deletion.ts";
export type { HistoryMessage, SessionHistory, ThreadMessage } from "./lifecycle/history.ts";
export type { PurgedWorkspace, PurgeOptions } from "./lifecycle/purge.ts";
export type { ListedSession, Renewal, Resumed } from "./lifecycle/sessions.ts";
export type { SessionRequest, StartedSession } from "./lifecycle/start-session.ts";
export type { StepNoted, TaskEnd, TaskRequest } from "./lifecycle/tasks.ts";
export { limits } from "./limits.ts";
export { continuedThread, crashReport, type IncompleteTask, threadWithPrompt } from "./resume/crash-report.ts";
export { memoryRecords, type WorkspacesOptions } from "./setting.ts";
export { openWorkspaces, type Workspaces } from "./workspaces.ts";
