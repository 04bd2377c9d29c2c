import { sha256, type Write } from "@cm/object-model";
import { checkId, historyObject, messageObject } from "../documents/ids.ts";
import type { HistoryFields, MessageFields, SessionFields } from "../documents/types.ts";
import { invalid } from "../errors.ts";
import { limits } from "../limits.ts";
import { liveSession } from "../records/live.ts";
import { type Records, written } from "../records/records.ts";
import type { Setting } from "../setting.ts";

/** One message of a thread. A tool's text may stand in the tool call's object alone. */
export interface ThreadMessage {
  readonly messageId: string;
  readonly role: "system" | "user" | "assistant" | "tool";
  /** What the model got. */
  readonly content?: string;
  /** What the user typed, where more was put around it: the history has this alone. */
  readonly typed?: string;
  /** Id of the tool call's object. */
  readonly object?: string;
  readonly taskId: string | null;
  readonly stepId: string | null;
  readonly tokenCount?: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface HistoryMessage {
  readonly messageId: string;
  readonly sessionId: string;
  readonly taskId: string | null;
  readonly stepId: string | null;
  readonly role: ThreadMessage["role"];
  readonly isSystem: boolean;
  /** Null where the tool call's object is gone. */
  readonly content: string | null;
  readonly tokenCount: number;
  readonly timestamp: string;
}

export interface SessionHistory {
  readonly artifactType: "session_history";
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly snapshotAfterTaskId: string | null;
  readonly snapshotAt: string;
  readonly messages: readonly HistoryMessage[];
}

/** The writes that replace a session's history: the new one and its messages in one commit, and so before the old is gone. */
export async function historyWrites(
  records: Records,
  session: SessionFields,
  {
    taskId,
    messages,
    at,
  }: { readonly taskId: string; readonly messages: readonly ThreadMessage[]; readonly at: number },
): Promise<readonly Write[]> {
  if (messages.length > limits.messagesPerSessionMax) {
    throw invalid("messages", `A session has at most ${limits.messagesPerSessionMax} messages.`);
  }
  const { workspace_id, session_id } = session;
  const docs = new Map(messages.map((message) => [objectOf(session_id, message), fieldsOf(session, message)]));
  const known = await records.getMany("thread_message", [...docs.keys()]);
  const history: HistoryFields = {
    content: null,
    workspace_id,
    session_id,
    state: "live",
    snapshot_after_task: taskId,
    snapshot_at: at,
    messages: [...docs.keys()],
  };
  return [
    ...[...docs].flatMap(([id, fields]) =>
      known.get(id)?.fields.state === "live" ? [] : [written("thread_message", id, fields)],
    ),
    written("session_history", historyObject(session_id), history),
  ];
}

/** A message is written once. One that says something else under the same id is another message. */
function objectOf(sessionId: string, message: ThreadMessage): string {
  const said = JSON.stringify([message.role, textOf(message), message.object ?? null]);
  return messageObject(sessionId, `${checkId("messageId", message.messageId)}.${sha256(said).slice(0, 16)}`);
}

const textOf = ({ role, typed, content }: ThreadMessage): string | null =>
  (role === "user" ? typed : undefined) ?? content ?? null;

function fieldsOf({ workspace_id, session_id }: SessionFields, message: ThreadMessage): MessageFields {
  return {
    content: null,
    workspace_id,
    session_id,
    task_id: message.taskId,
    step_id: message.stepId,
    state: "live",
    message_id: message.messageId,
    role: message.role,
    is_system: message.role === "system",
    text: message.object === undefined ? textOf(message) : null,
    object: message.object ?? null,
    token_count: message.tokenCount ?? 0,
    at: message.at,
  };
}

/** Undefined before the first task ended, and after the history was deleted. */
export async function readHistory(setting: Setting, sessionId: string): Promise<SessionHistory | undefined> {
  const { records, content } = setting;
  await liveSession(records, sessionId);
  const history = await records.get("session_history", historyObject(sessionId));
  if (history?.fields.state !== "live") return undefined;
  const { workspace_id, snapshot_after_task, snapshot_at, messages } = history.fields;
  const read = await records.getMany("thread_message", messages);
  const kept = messages.flatMap((id) => read.get(id)?.fields ?? []);
  const calls = await content.getMany(kept.flatMap(({ object }) => object ?? []));
  return {
    artifactType: "session_history",
    workspaceId: workspace_id,
    sessionId,
    snapshotAfterTaskId: snapshot_after_task,
    snapshotAt: new Date(snapshot_at).toISOString(),
    messages: kept.map((fields) => ({
      messageId: fields.message_id,
      sessionId,
      taskId: fields.task_id,
      stepId: fields.step_id,
      role: fields.role,
      isSystem: fields.is_system,
      content: fields.object === null ? fields.text : (calls.get(fields.object)?.document?.content ?? null),
      tokenCount: fields.token_count,
      timestamp: new Date(fields.at).toISOString(),
    })),
  };
}
