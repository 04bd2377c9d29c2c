import { randomUUID } from "node:crypto";
import {
  chatId,
  type DocumentOf,
  isCmError,
  type ObjectStore,
  parseSessionId,
  type StepAddress,
  sealDocument,
  sessionObjectId,
  systemPromptId,
  type Write,
} from "@cm/object-model";
import { sessionError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { SessionState } from "../state/session-state.ts";
import { systemPromptDocument } from "../steps/step-documents.ts";
import { stateAt } from "./state-at.ts";

/** A session that was begun at a step of another one. */
export interface Fork {
  readonly session: string;
  readonly from: StepAddress;
}

/**
 * Begins a session that continues a step of any session. Nothing is copied: three documents are written, whatever the
 * length of the session, and the new session's first step has the old one's for its parent. `openSession` continues it.
 * The old session does not notice.
 * @throws CmError `session/not-found` where there is no such step, `session/exists` where the id is taken,
 * `model/invalid-id`, `session/damaged`, or what the store throws
 */
export async function forkSession(
  store: ObjectStore,
  from: StepAddress,
  options: { readonly session?: string } = {},
): Promise<Fork> {
  const session = parseSessionId(options.session ?? randomUUID());
  const { state, systemPrompt = "" } = await stateAt(store, from, session);
  const documents = [...forkedHeads(state, from), systemPromptDocument(session, systemPrompt)];
  const writes = documents.map((document): Write => ({ document, expect: "absent" }));
  try {
    await commitOnce(store, writes);
  } catch (error) {
    if (!isCmError(error, "store/conflict")) throw error;
    throw sessionError("session/exists", `There is a session ${session} already; take another id.`, { session });
  }
  return { session, from: { session: from.session, n: from.n } };
}

/** A commit whose answer is lost is repeated: under one request id it happens once. */
async function commitOnce(store: ObjectStore, writes: readonly Write[]): Promise<void> {
  const requestId = `fork ${randomUUID()}`;
  for (let repeat = 0; ; repeat += 1) {
    try {
      await store.commit(writes, { requestId });
      return;
    } catch (error) {
      if (!isCmError(error, "store/unknown-outcome") || repeat >= limits.commitRepeatsMax) throw error;
    }
  }
}

/** The heads of a session that continues a state. Its chain begins with its own id and vouches for the whole path. */
function forkedHeads(
  { session, sets, chain, depth, turn, toolcallCount }: SessionState,
  { session: of, n }: StepAddress,
): readonly [DocumentOf<"session">, DocumentOf<"chat">] {
  const head = { session: of, n };
  return [
    sealDocument(
      { type: "session", id: sessionObjectId(session) },
      {
        content: null,
        chat_ref: chatId(session),
        system_prompt_ref: systemPromptId(session),
        status: "paused",
        next_step: 0,
        head,
        chain,
        index_count: sets.index.size,
        pool_count: sets.pool.size,
        active_count: sets.active.size,
        pinned_count: sets.pinned.size,
        forked_from: head,
      },
    ),
    sealDocument(
      { type: "chat", id: chatId(session) },
      {
        content: null,
        session_ref: sessionObjectId(session),
        turn_count: turn + 1,
        step_count: depth,
        toolcall_count: toolcallCount,
        chain,
        head,
      },
    ),
  ];
}
