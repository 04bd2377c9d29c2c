import type { SessionState } from "@cm/governance";
import { AuditLog } from "./audit/audit-log.ts";
import { type ExpiryOptions, expireAudit } from "./audit/expire-audit.ts";
import { addArtifact, listArtifacts, type NewArtifact, readArtifact } from "./lifecycle/artifacts.ts";
import { deleteHistory, deleteWorkspace } from "./lifecycle/deletion.ts";
import { readHistory, snapshotAfterTask } from "./lifecycle/history.ts";
import { listTasks, listWorkspaces } from "./lifecycle/lists.ts";
import { type PurgeOptions, purge } from "./lifecycle/purge.ts";
import { listSessions, type Renewal, resumeSession, setSessionState } from "./lifecycle/sessions.ts";
import { type SessionRequest, startSession } from "./lifecycle/start-session.ts";
import {
  endTask,
  noteStep,
  readTask,
  runningTasks,
  startTask,
  type TaskEnd,
  type TaskRequest,
} from "./lifecycle/tasks.ts";
import { liveSession, liveWorkspace } from "./records/live.ts";
import { type Setting, settingOf, type WorkspacesOptions } from "./setting.ts";

interface TaskName {
  readonly sessionId: string;
  readonly taskId: string;
}

/** Workspaces and all that is in them, over one store or two. It keeps no state of its own: any number may be open. */
export function openWorkspaces(options: WorkspacesOptions) {
  const setting: Setting = settingOf(options);
  return {
    audit: new AuditLog(setting.records),
    startSession: (request: SessionRequest) => startSession(setting, request),
    resumeSession: (sessionId: string, renewal: Renewal) => resumeSession(setting, sessionId, renewal),
    setSessionState: (sessionId: string, to: SessionState) => setSessionState(setting, sessionId, to),
    readWorkspace: async (workspaceId: string) => (await liveWorkspace(setting.records, workspaceId)).fields,
    readSession: async (sessionId: string) => (await liveSession(setting.records, sessionId)).session.fields,
    listWorkspaces: (page?: Parameters<typeof listWorkspaces>[1]) => listWorkspaces(setting, page),
    listTasks: (sessionId: string, page?: Parameters<typeof listTasks>[2]) => listTasks(setting, sessionId, page),
    listSessions: (workspaceId: string, page?: { readonly limit?: number; readonly cursor?: string }) =>
      listSessions(setting, workspaceId, page),
    startTask: (sessionId: string, request: TaskRequest) => startTask(setting, sessionId, request),
    noteStep: (task: TaskName, taken: number, tokensUsed = 0) => noteStep(setting, task, { taken, tokensUsed }),
    endTask: (task: TaskName, end: TaskEnd) => endTask(setting, task, end),
    readTask: (task: TaskName) => readTask(setting, task),
    runningTasks: (sessionId: string) => runningTasks(setting, sessionId),
    snapshotAfterTask: (sessionId: string) => snapshotAfterTask(setting, sessionId),
    readHistory: (sessionId: string) => readHistory(setting, sessionId),
    deleteHistory: (sessionId: string) => deleteHistory(setting, sessionId),
    addArtifact: (artifact: NewArtifact) => addArtifact(setting, artifact),
    readArtifact: (artifactId: string) => readArtifact(setting, artifactId),
    listArtifacts: (workspaceId: string, page?: Parameters<typeof listArtifacts>[2]) =>
      listArtifacts(setting, workspaceId, page),
    deleteWorkspace: (workspaceId: string) => deleteWorkspace(setting, workspaceId),
    expireAudit: (expiring?: ExpiryOptions) => expireAudit(setting, expiring),
    purge: (purging?: PurgeOptions) => purge(setting, purging),
  };
}

export type Workspaces = ReturnType<typeof openWorkspaces>;
