import type { Usage } from "@cm/context-log";
import { type AssembledRequest, type LogState, memberCount } from "@cm/context-log/state";
import {
  type Amended,
  type Checkout,
  chatId,
  type DocumentOf,
  defined,
  firstChain,
  nextChain,
  nonEmpty,
  type ObjectDocument,
  type PayloadOf,
  payloadOf,
  type SetChanges,
  type StepAddress,
  type StepMessage,
  sealDocument,
  sessionObjectId,
  stepId,
  systemPromptId,
  type Write,
} from "@cm/object-model";
import type { SessionHeads } from "@cm/step-log/load";
import type { Observed } from "../files/observed.ts";
import type { Pending } from "./pending.ts";

/** What a step says about having been resumed. */
export type Resumed = NonNullable<DocumentOf<"step">["resumed"]>;

/** What a step's document takes over as it is. */
export interface StepFacts {
  readonly request: AssembledRequest;
  readonly resumed: Resumed | undefined;
  /** What others made of messages since the step before; the state has it already. */
  readonly amended: Amended;
  /** What the look before the request found changed; the state has it already. */
  readonly observedBefore: Observed;
  readonly usage: Usage | undefined;
  readonly recordedAtMs: number;
}

interface StepContent extends StepFacts {
  /** The working copies, where they are others than after the step before. */
  readonly checkouts: readonly Checkout[] | undefined;
  readonly messages: readonly StepMessage[];
  readonly changes: SetChanges;
  readonly observed: Observed;
  readonly redactions: number;
  /** The session that a fork leaves to another writer: the request was made in it. */
  readonly requestedIn: string | undefined;
  /** Content hash of the step's keyframe, where that has a state, and of what stands beside it. */
  readonly keyframe?: string | undefined;
  readonly standing?: string | undefined;
}

export function stepDocument(state: LogState, n: number, content: StepContent): DocumentOf<"step"> {
  const { request, resumed, checkouts, amended, messages, changes, usage } = content;
  const { observedBefore, observed, redactions, requestedIn } = content;
  return sealDocument(
    { type: "step", id: stepId({ session: state.session, n }) },
    {
      content: null,
      session_ref: sessionObjectId(state.session),
      n,
      parent: state.head,
      ...defined({ requested_in: requestedIn, resumed }),
      ...(checkouts === undefined ? {} : { checkouts: [...checkouts] }),
      ...nonEmpty({ amended: [...amended] }),
      messages: [...messages],
      turn: Math.max(0, state.turn),
      ...(Object.keys(request.changesBefore).length > 0 ? { changes_before: request.changesBefore } : {}),
      changes,
      ...nonEmpty({ observed_before: [...observedBefore], observed: [...observed] }),
      layout: request.prompt.layout,
      decision: { ...request.decision },
      basis: request.basis,
      prompt_hash: request.hash,
      prompt_chars: request.prompt.chars,
      kept_chars: request.prompt.kept.chars,
      ...cachingOf(request),
      ...(redactions > 0 ? { redactions } : {}),
      ...defined({ usage: usage && storedUsage(usage) }),
      recorded_at: content.recordedAtMs,
      ...defined({ keyframe: content.keyframe, standing: content.standing }),
    },
  );
}

const storedUsage = ({ input, output, cacheRead: cache_read, cacheWrite: cache_write }: Usage) => {
  return { input, output, cache_read, cache_write };
};

/** What the bill of a request depends on besides its text. */
function cachingOf({ prompt: { breakpoints }, servedChars, cache, askedAtMs }: AssembledRequest) {
  return {
    ...(breakpoints === undefined ? {} : { breakpoints: [...breakpoints] }),
    ...defined({ served_chars: servedChars }),
    ...(cache === "cold" ? { cache } : {}),
    ...defined({ requested_at: askedAtMs }),
  };
}

export const writesOf = <D extends ObjectDocument>(documents: Iterable<D>, expect: Write["expect"]): readonly Write[] =>
  Array.from(documents, (document) => ({ document, expect }));

export function systemPromptDocument(session: string, text: string): DocumentOf<"system_prompt"> {
  return sealDocument(
    { type: "system_prompt", id: systemPromptId(session) },
    { content: text, session_ref: sessionObjectId(session) },
  );
}

export function systemPromptWrite({ session, systemPrompt }: LogState): Write {
  return { document: systemPromptDocument(session, systemPrompt), expect: "any" };
}

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

/** The heads of a session that went back to a state of its own: what was left pending since belongs to another step, and is not in `pending`. */
export function returnedHeads(
  state: LogState,
  { session: { status, next_step: nextStep, forked_from: forkedFrom } }: Pick<SessionHeads, "session">,
  { keyframe, pending }: { readonly keyframe: string | undefined; readonly pending: Pending | undefined },
): HeadDocuments {
  return headDocuments({ ...factsOf(state), head: state.head, status, nextStep, keyframe, forkedFrom, pending });
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
