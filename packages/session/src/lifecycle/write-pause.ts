import { sha256, type Write } from "@cm/object-model";
import { readHeads, type SessionHeads } from "@cm/step-log/load";
import type { AttachmentDocuments } from "../input/clean.ts";
import {
  afterConflict,
  type ConflictContext,
  type ConflictFork,
  commitUntilAnswered,
  retryOnConflict,
} from "../step/contention.ts";
import { bothPending, type Pending, samePending } from "../step/pending.ts";
import { continuedHeads, headWith, systemPromptWrite, writesOf } from "../step/step-documents.ts";

interface PauseContext extends ConflictContext {
  readonly pending: Pending | undefined;
  /** What this client found pending when it opened the session, and `pending` has in it. */
  readonly restored: Pending | undefined;
  /** Of pending messages. */
  readonly attachments: AttachmentDocuments;
  /** No step has written the system prompt yet. */
  readonly isSystemPromptChanged: boolean;
  /** Content hashes of heads that earlier attempts may have written. */
  readonly attempted: Set<string>;
}

/**
 * Writes in one commit what no step says yet, and gives up the lease. Where another client holds that, the session
 * stays active. Where another client wrote the session, what waits is kept in a fork. Asked again after a doubt, it finds
 * what it wrote.
 * @returns the fork that it wrote
 * @throws CmError `session/busy`, `session/damaged`, or what the store throws
 */
export async function writePause(context: PauseContext): Promise<ConflictFork | undefined> {
  const { store, state, client, attempted } = context;
  let forks = 0;
  return retryOnConflict({ session: state.session }, async (attempt) => {
    const found = await afterConflict(context, forks + 1);
    const fork = "fork" in found ? found : undefined;
    if (fork !== undefined) forks += 1;
    if (fork !== undefined && (await isWritten(fork, context))) return fork;
    const isForked = fork !== undefined && isWaiting(context);
    const writes = fork === undefined ? pauseWrites(found.heads, context) : forkWrites(fork, context, isForked);
    for (const { document } of writes) attempted.add(document.content_hash);
    if (writes.length > 0) {
      const said = sha256(writes.map(({ document }) => document.content_hash).join(" "));
      await commitUntilAnswered(store, writes, `${client} pause ${attempt} ${said}`);
    }
    return isForked ? fork : undefined;
  });
}

/** File versions alone are found again, and what was restored and not added to has gone with the other writer's steps. */
function isWaiting({ pending, restored }: PauseContext): boolean {
  const { messages = [], changes } = pending ?? {};
  return (messages.length > 0 || changes !== undefined) && !samePending(pending, restored);
}

/** Whether an earlier call wrote this fork, and only its answer was lost. */
async function isWritten({ fork }: ConflictFork, { store, attempted }: PauseContext): Promise<boolean> {
  const there = await readHeads(store, fork.session);
  return there !== undefined && attempted.has(there.session.content_hash);
}

function pauseWrites(heads: SessionHeads, context: PauseContext): readonly Write[] {
  const { state, nowMs, lease, attachments, isSystemPromptChanged, attempted } = context;
  const head = attempted.has(heads.session.content_hash) ? heads.session : pausedHead(heads, context);
  return [
    ...writesOf(attachments.values(), "any"),
    ...(isSystemPromptChanged ? [systemPromptWrite(state)] : []),
    ...(head.content_hash === heads.session.content_hash ? [] : [{ document: head, expect: heads.sessionToken }]),
    ...lease.release(nowMs),
  ];
}

/** The other writer's session stays as it is. */
function forkWrites(
  { state, released }: ConflictFork,
  { heads, pending, attachments }: PauseContext,
  isForked: boolean,
): readonly Write[] {
  if (!isForked) return released;
  const { session, chat } = continuedHeads(heads, state, pending);
  return [
    ...writesOf(attachments.values(), "any"),
    ...writesOf([session, chat, systemPromptWrite(state).document], "absent"),
    ...released,
  ];
}

function pausedHead(heads: SessionHeads, { pending, restored, lease, nowMs }: PauseContext): SessionHeads["session"] {
  const left = heads.session.pending;
  return headWith(heads, {
    status: lease.heldByOther(nowMs) === undefined ? "paused" : "active",
    // What another client left stays; what this one found when it opened the session is in its own.
    pending: samePending(left, restored) ? pending : bothPending(left, pending),
  });
}
