import { type LogState, memberCount } from "@cm/context-log/state";
import {
  chatId,
  type DocumentOf,
  defined,
  firstChain,
  nextChain,
  type PayloadOf,
  payloadOf,
  type SetChanges,
  type StepAddress,
  sealDocument,
  sessionObjectId,
  systemPromptId,
} from "@cm/object-model";
import type { SessionHeads } from "../history/read-path.ts";
import type { Pending } from "./pending.ts";

interface HeadDocuments {
  readonly session: DocumentOf<"session">;
  readonly chat: DocumentOf<"chat">;
}

type SessionFields = PayloadOf<"session">;

/** What the two heads of a session say. They have the same size after the thousandth step as after the first. */
interface HeadFacts {
  readonly session: string;
  readonly chain: string;
  readonly head: StepAddress | null;
  readonly status: SessionFields["status"];
  readonly nextStep: number;
  readonly counts: Pick<SessionFields, "index_count" | "pool_count" | "active_count" | "pinned_count">;
  readonly chatCounts: Pick<PayloadOf<"chat">, "turn_count" | "step_count" | "toolcall_count">;
  readonly keyframe?: string | undefined;
  readonly forkedFrom?: StepAddress | undefined;
  readonly pending?: Pending | undefined;
}

/** The heads after a step. */
export function headsAfter(
  state: LogState,
  heads: SessionHeads,
  step: DocumentOf<"step">,
  {
    toolcalls,
    keyframe,
    pending,
  }: {
    readonly toolcalls: number;
    readonly keyframe: string | undefined;
    /** What another client left, and this step did not take in. */
    readonly pending: Pending | undefined;
  },
): HeadDocuments {
  const { session, turn, depth, toolcallCount } = state;
  return headDocuments({
    session,
    chain: nextChain(state.chain, step.content_hash),
    head: { session, n: step.n },
    status: "active",
    nextStep: step.n + 1,
    counts: countsOf(state, step.changes),
    chatCounts: { turn_count: turn + 1, step_count: depth + 1, toolcall_count: toolcallCount + toolcalls },
    keyframe: keyframe ?? heads.session.keyframe,
    forkedFrom: heads.session.forked_from,
    pending,
  });
}

/** The heads of a session before its first step. */
export function firstHeads(session: string): HeadDocuments {
  const first = { session, chain: firstChain(session), head: null, status: "active", nextStep: 0 } as const;
  const counts = { index_count: 0, pool_count: 0, active_count: 0, pinned_count: 0 };
  return headDocuments({ ...first, counts, chatCounts: { turn_count: 0, step_count: 0, toolcall_count: 0 } });
}

/** The heads of a session that continues a state. Its chain begins with its own id and vouches for the whole path. */
export function forkedHeads(state: LogState, { session: of, n }: StepAddress): HeadDocuments {
  const head = { session: of, n };
  return headDocuments({ ...factsOf(state), head, status: "paused", nextStep: 0, forkedFrom: head });
}

/**
 * The heads of a session that continues the path of an open one, before its first step.
 * @param heads as they are after the path's newest step
 */
export function continuedHeads(
  { session: before, chat }: Pick<SessionHeads, "session" | "chat">,
  { session, chain }: Pick<LogState, "session" | "chain">,
  pending?: Pending,
): HeadDocuments {
  const { head, index_count, pool_count, active_count, pinned_count } = before;
  const { turn_count, step_count, toolcall_count } = chat;
  return headDocuments({
    ...{ session, chain, head, status: "paused", nextStep: 0, pending },
    counts: { index_count, pool_count, active_count, pinned_count },
    chatCounts: { turn_count, step_count, toolcall_count },
    forkedFrom: head ?? undefined,
  });
}

/** The heads of a session that went back to a state of its own: what was left pending since belongs to another step. */
export function returnedHeads(
  state: LogState,
  { session: { status, next_step: nextStep, forked_from: forkedFrom } }: Pick<SessionHeads, "session">,
  { keyframe }: { readonly keyframe: string | undefined },
): HeadDocuments {
  return headDocuments({ ...factsOf(state), head: state.head, status, nextStep, keyframe, forkedFrom });
}

/** What a state says of its heads. */
function factsOf({ session, sets, chain, depth, turn, toolcallCount }: LogState) {
  const chatCounts = { turn_count: turn + 1, step_count: depth, toolcall_count: toolcallCount };
  return { session, chain, counts: countsOf({ sets }, {}), chatCounts };
}

/** The sizes of the sets with these changes. */
function countsOf({ sets }: Pick<LogState, "sets">, changes: SetChanges): HeadFacts["counts"] {
  return {
    index_count: memberCount(sets, "index", changes),
    pool_count: memberCount(sets, "pool", changes),
    active_count: memberCount(sets, "active", changes),
    pinned_count: memberCount(sets, "pinned", changes),
  };
}

/** The head of a session that is paused or taken up again: everything in it stays but for this. */
export function headWith(
  { session: document }: Pick<SessionHeads, "session">,
  { status, pending }: { readonly status: "active" | "paused"; readonly pending: Pending | undefined },
): DocumentOf<"session"> {
  const payload = { ...(payloadOf(document) as SessionFields) };
  delete payload.pending;
  return sealDocument({ type: "session", id: document["xt/id"] }, { ...payload, status, ...defined({ pending }) });
}

function headDocuments(facts: HeadFacts): HeadDocuments {
  const { session, chain, head, status, nextStep, counts, chatCounts, keyframe, forkedFrom, pending } = facts;
  return {
    session: sealDocument(
      { type: "session", id: sessionObjectId(session) },
      {
        content: null,
        chat_ref: chatId(session),
        system_prompt_ref: systemPromptId(session),
        status,
        next_step: nextStep,
        head,
        chain,
        ...counts,
        ...defined({ keyframe, forked_from: forkedFrom, pending }),
      },
    ),
    chat: sealDocument(
      { type: "chat", id: chatId(session) },
      { content: null, session_ref: sessionObjectId(session), ...chatCounts, chain, head },
    ),
  };
}
