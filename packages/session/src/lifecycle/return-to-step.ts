import { randomUUID } from "node:crypto";
import type { OtherWriter } from "@cm/context-log";
import { ContextLog, type LogState } from "@cm/context-log/state";
import {
  defined,
  everyVersion,
  isDocumentOf,
  keyframeId,
  type ObjectStore,
  type Page,
  type StepAddress,
  sessionObjectId,
  sessionOfReference,
  type Write,
} from "@cm/object-model";
import {
  checkSession,
  checkStep,
  isStepNumber,
  keyframesOf,
  readPath,
  type SessionHeads,
  stateAt,
} from "@cm/step-log/load";
import { sessionError } from "../errors.ts";
import {
  commitUntilAnswered,
  isSameStep,
  Lease,
  ownerName,
  readHeadsAndLease,
  retryOnConflict,
} from "../step/contention.ts";
import type { Pending } from "../step/pending.ts";
import { returnedHeads, systemPromptDocument } from "../step/step-documents.ts";

/** Where a session goes back to. */
export interface ReturnTarget {
  readonly session: string;
  /** A step's number; null: before the first step. */
  readonly n: number | null;
  /** The session that wrote the step, where this one inherited it by a fork. Default: this session. */
  readonly of?: string;
}

export interface Returned {
  readonly session: string;
  /** The step that the next one continues. */
  readonly head: StepAddress | null;
  /** False where the session stood there already, and nothing was written. */
  readonly moved: boolean;
  /** Messages that had been received when the session was paused: they came after another step, and are dropped. */
  readonly droppedMessages: number;
  /** Held the lease (SSOT 2.6). Its next step begins a fork where it stands. */
  readonly otherWriter?: OtherWriter;
}

export interface ReturnOptions {
  /** Who asks, as `openSession` names it: its own lease is no other writer's. */
  readonly owner?: string;
  /** What a pause had left behind the step when it was the newest is there again. Default: nothing is. */
  readonly withPause?: boolean;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Goes back within a session: the next step continues the given one, and takes the next free number. It may lie on any
 * branch, also on one that the session went back from. Nothing is copied and nothing is lost: the heads are written, and
 * every step stays under its number. `openSession` then opens the session as it was after that step; a `Session` that is
 * open meanwhile goes on in a fork, so close it first.
 * @throws CmError `session/not-found` where the session has no such step, `session/busy`, `session/damaged`, or what the
 * store throws; called again it does what is left to do
 */
export async function returnToStep(
  store: ObjectStore,
  target: ReturnTarget,
  { owner, withPause = false, now = Date.now }: ReturnOptions = {},
): Promise<Returned> {
  if (target?.n === null) checkSession(target.session);
  else checkStep(target);
  const { session } = target;
  const address = target.n === null ? null : { session: target.of ?? session, n: target.n };
  return retryOnConflict({ session }, async () => {
    const found = await readHeadsAndLease(store, session);
    if (found === undefined)
      throw sessionError("session/not-found", `There is no session ${session} in this store.`, { session });
    const { heads } = found;
    const isThere = isSameStep(heads.session.head, address) && (withPause || heads.session.pending === undefined);
    const droppedMessages = isThere && withPause ? 0 : (heads.session.pending?.messages?.length ?? 0);
    const lease = new Lease({ session, owner: owner === undefined ? "" : ownerName(owner), leaseMs: 0 }, found.lease);
    const otherWriter = lease.heldByOther(now());
    const done = { session, head: address, ...defined({ otherWriter }) };
    if (isThere) return { ...done, moved: false, droppedMessages };
    const pending = withPause ? await pausedAt(store, session, address) : undefined;
    const writes = await writesFor(store, heads, { address, pending });
    await commitUntilAnswered(store, writes, `return ${randomUUID()}`);
    return { ...done, moved: true, droppedMessages };
  });
}

/** What waited when the session last stood there: the step behind it took it up, and is on no path to it. */
async function pausedAt(
  store: ObjectStore,
  session: string,
  address: StepAddress | null,
): Promise<Pending | undefined> {
  const read = (page: Page) => store.history(sessionObjectId(session), { ...page, documents: true });
  for await (const { document } of everyVersion(read)) {
    if (document === undefined || !isDocumentOf(document, "session") || !isSameStep(document.head, address)) continue;
    return document.pending;
  }
  return undefined;
}

/** The heads as they were after the step, but for the next number; and the system prompt as it was then. */
async function writesFor(
  store: ObjectStore,
  heads: SessionHeads,
  { address, pending }: { readonly address: StepAddress | null; readonly pending: Pending | undefined },
): Promise<readonly Write[]> {
  const session = sessionOfReference(heads.chat.session_ref);
  if (address !== null) await checkOwnOrInherited(store, heads, address);
  const past = address === null ? undefined : await stateAt(store, address, session);
  const state = past?.state ?? new ContextLog(session, 0).state;
  const keyframe = await newestKeyframe(store, session, state.path);
  const { session: head, chat } = returnedHeads(state, heads, { keyframe, pending });
  const writes: Write[] = [
    { document: head, expect: heads.sessionToken },
    { document: chat, expect: heads.chatToken },
  ];
  const systemPrompt = past?.systemPrompt;
  // An erased one is not brought back, and before the first step there is none to go back to.
  if (systemPrompt === undefined) return writes;
  return [...writes, { document: systemPromptDocument(session, systemPrompt), expect: "any" }];
}

/** @throws CmError `session/not-found` where no step of the session has this address */
async function checkOwnOrInherited(store: ObjectStore, heads: SessionHeads, address: StepAddress): Promise<void> {
  const session = sessionOfReference(heads.chat.session_ref);
  const { next_step: nextStep, forked_from: forkedFrom = null } = heads.session;
  const isNumber = isStepNumber(address.n);
  if (isNumber && address.session === session && address.n < nextStep) return;
  // Whatever it inherited lies on the way to the step that it was forked at.
  const isInherited =
    address.session !== session &&
    (await readPath(store, forkedFrom)).some((step) => isSameStep(step.address, address));
  if (!isInherited) throw notFound(session, address);
}

/** The newest keyframe of the session that lies on the path. */
async function newestKeyframe(
  store: ObjectStore,
  session: string,
  path: LogState["path"],
): Promise<string | undefined> {
  const own = [...path].flatMap(({ address }) => (address.session === session ? [address.n] : []));
  if (own.length === 0) return undefined;
  const keyframes = await keyframesOf(store, session);
  const n = own.findLast((number) => keyframes.has(number));
  return n === undefined ? undefined : keyframeId({ session, n });
}

function notFound(session: string, { session: of, n }: StepAddress) {
  const whose = of === session ? "" : ` of session ${of}`;
  return sessionError(
    "session/not-found",
    `Session ${session} has no step ${n}${whose}; the list of its requests names those it has.`,
    { session, n },
  );
}
