import { sha256, type Write } from "@cm/object-model";
import { checkMessageId, historyObject, historyPartObject, messageObject } from "../documents/ids.ts";
import type { HistoryFields, MessageFields, SessionFields } from "../documents/types.ts";
import { failure } from "../errors.ts";
import { limits } from "../limits.ts";
import { liveSession, type SessionRecord, type WorkspaceRecord } from "../records/live.ts";
import { type Records, unchanged, written } from "../records/records.ts";
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

/**
 * The writes that replace a session's history: the new one with the newest messages in one commit, and so before the old
 * is gone. Messages beyond what one commit takes are written ahead, where no history names them yet.
 */
export async function historyWrites(
  records: Records,
  { session, workspace }: { readonly session: SessionRecord; readonly workspace: WorkspaceRecord },
  {
    taskId,
    messages,
    at,
  }: { readonly taskId: string; readonly messages: readonly ThreadMessage[]; readonly at: number },
): Promise<readonly Write[]> {
  if (messages.length > limits.messagesPerSessionMax) {
    const data = { limit: "messagesPerSessionMax", actual: messages.length, bound: limits.messagesPerSessionMax };
    throw failure("workspace/limit", `A session has at most ${data.bound} messages; continue it as another.`, data);
  }
  const { workspace_id, session_id } = session.fields;
  // Before the messages are looked at: a deletion that takes them meanwhile changes it.
  const known = await records.get("session_history", historyObject(session_id));
  const said = new Map(messages.map((message) => [objectOf(session_id, message), message]));
  const ids = [...said.keys()];
  const full = chunksOf(ids, limits.messagesPerPartMax).filter(({ length }) => length === limits.messagesPerPartMax);
  const parts = new Map(full.map((part) => [partOf(session_id, part), part]));
  const newParts = await notThere(records, "history_part", [...parts.keys()]);
  const tail = ids.slice(full.length * limits.messagesPerPartMax);
  // A part that is there has its messages there, too: they were written before it.
  const newMessages = await notThere(records, "thread_message", [
    ...newParts.flatMap((id) => parts.get(id) ?? []),
    ...tail,
  ]);
  const common = { content: null, workspace_id, session_id, state: "live" } as const;
  const writes = [
    ...newMessages.map((id) => written("thread_message", id, fieldsOf(session.fields, said.get(id) as ThreadMessage))),
    ...newParts.map((id) => {
      const part = parts.get(id) ?? [];
      return written("history_part", id, { ...common, messages: [...part], at: said.get(part.at(-1) ?? "")?.at ?? at });
    }),
  ];
  const history: HistoryFields = {
    ...common,
    snapshot_after_task: taskId,
    snapshot_at: at,
    ...(parts.size === 0 ? {} : { parts: [...parts.keys()] }),
    messages: tail,
  };
  const batches = batchesOf(writes);
  for (const batch of batches.slice(0, -1)) {
    await records.commit([...batch, unchanged("workspace", workspace)]);
  }
  const replaced = {
    ...written("session_history", historyObject(session_id), history),
    expect: known?.token ?? "absent",
  };
  return [...(batches.at(-1) ?? []), replaced];
}

/** Named by what is in it: a part that holds the same messages is the same part. */
const partOf = (sessionId: string, ids: readonly string[]): string =>
  historyPartObject(sessionId, sha256(JSON.stringify(ids)).slice(0, 32));

async function notThere(
  records: Records,
  type: "history_part" | "thread_message",
  ids: readonly string[],
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const some of chunksOf(ids, limits.messagesPerPartMax)) {
    const known = await records.getMany(type, some);
    missing.push(...some.filter((id) => known.get(id)?.fields.state !== "live"));
  }
  return missing;
}

function chunksOf<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, place) =>
    list.slice(place * size, (place + 1) * size),
  );
}

/** As many as one commit takes, in order. */
function batchesOf(writes: readonly Write[]): readonly (readonly Write[])[] {
  const batches: Write[][] = [];
  let chars = 0;
  for (const write of writes) {
    const batch = batches.at(-1);
    const size = "text" in write.document && typeof write.document.text === "string" ? write.document.text.length : 0;
    chars += size;
    if (batch !== undefined && batch.length < limits.batchObjectsMax && chars <= limits.batchCharsMax)
      batch.push(write);
    else {
      batches.push([write]);
      chars = size;
    }
  }
  return batches;
}

/** A message is written once. One that says something else under the same id is another message. */
function objectOf(sessionId: string, message: ThreadMessage): string {
  const said = JSON.stringify([message.role, textOf(message), message.object ?? null]);
  return messageObject(sessionId, `${checkMessageId(message.messageId)}.${sha256(said).slice(0, 16)}`);
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

/** The task whose end wrote the history as it is now; undefined where `readHistory` has none. Reads no message. */
export async function snapshotAfterTask({ records }: Setting, sessionId: string): Promise<string | undefined> {
  const history = await records.get("session_history", historyObject(sessionId));
  return history?.fields.state === "live" ? (history.fields.snapshot_after_task ?? undefined) : undefined;
}

/** Undefined before the first task ended, and after the history was deleted. */
export async function readHistory(setting: Setting, sessionId: string): Promise<SessionHistory | undefined> {
  const { records, content } = setting;
  await liveSession(records, sessionId);
  const history = await records.get("session_history", historyObject(sessionId));
  if (history?.fields.state !== "live") return undefined;
  const { workspace_id, snapshot_after_task, snapshot_at, parts = [], messages } = history.fields;
  const inParts = await records.getMany("history_part", parts);
  const ids = [...parts.flatMap((id) => inParts.get(id)?.fields.messages ?? []), ...messages];
  const kept: MessageFields[] = [];
  const texts = new Map<string, string | null>();
  for (const some of chunksOf(ids, limits.messagesPerPartMax)) {
    const read = await records.getMany("thread_message", some);
    const fields = some.flatMap((id) => read.get(id)?.fields ?? []);
    const calls = await content.getMany(fields.flatMap(({ object }) => object ?? []));
    for (const [id, { document }] of calls) texts.set(id, document?.content ?? null);
    kept.push(...fields);
  }
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
      content: fields.object === null ? fields.text : (texts.get(fields.object) ?? null),
      tokenCount: fields.token_count,
      timestamp: new Date(fields.at).toISOString(),
    })),
  };
}
