import {
  chatId,
  type DocumentOf,
  defined,
  everyVersion,
  isDocumentOf,
  leaseId,
  type ObjectStore,
  type StepAddress,
  sessionObjectId,
  sessionOfReference,
  stepId,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { type Readable, readReadable } from "../path/read-readable.ts";

/** What a list of sessions tells of each. Plain data. */
export interface SessionSummary {
  readonly session: string;
  /** `erased`: a head was erased. `damaged`: a head is missing or cannot be read; `verifyStore` says more. */
  readonly status: "active" | "paused" | "erased" | "damaged";
  /** Steps on the path to the head, those before a fork included. */
  readonly steps: number;
  readonly turns: number;
  readonly toolcalls: number;
  /** Sizes of the four sets after the newest step. */
  readonly counts: { readonly index: number; readonly pool: number; readonly active: number; readonly pinned: number };
  /** The newest step; null before the first. */
  readonly head: StepAddress | null;
  readonly forkedFrom?: StepAddress;
  /** As it was written: it may have run out. */
  readonly lease?: { readonly owner: string; readonly acquiredAtMs: number; readonly expiresAtMs: number };
  /** When the newest step was recorded, by the clock of who recorded it. */
  readonly recordedAtMs?: number;
}

/**
 * All sessions of a store by id, in three reads a page. What cannot be read is listed as such; sessions that have
 * lost their own head and still have a chat's come last.
 * @throws CmError what the store throws, but for single documents that are damaged
 */
export async function* listSessions(store: ObjectStore): AsyncGenerator<SessionSummary> {
  const listed = new Set<string>();
  for await (const sessions of sessionsOf(store, "session")) {
    for (const session of sessions) listed.add(session);
    yield* await summaries(store, sessions);
  }
  for await (const sessions of sessionsOf(store, "chat")) {
    yield* await summaries(
      store,
      sessions.filter((session) => !listed.has(session)),
    );
  }
}

/** Sessions by the ids of their heads: listed without documents, since a damaged one must not stop the list. */
async function* sessionsOf(store: ObjectStore, type: "session" | "chat"): AsyncGenerator<readonly string[]> {
  let sessions: string[] = [];
  const limit = limits.sessionsPerPage;
  for await (const { id } of everyVersion((page) => store.find({ type }, { ...page, limit }))) {
    sessions.push(sessionOfReference(id));
    if (sessions.length < limit) continue;
    yield sessions;
    sessions = [];
  }
  yield sessions;
}

async function summaries(store: ObjectStore, sessions: readonly string[]): Promise<readonly SessionSummary[]> {
  if (sessions.length === 0) return [];
  const heads = await readReadable(
    store,
    sessions.flatMap((session) => [sessionObjectId(session), chatId(session), leaseId(session)]),
  );
  const newest = sessions.flatMap((session) => {
    const head = documentIn(heads, sessionObjectId(session), "session")?.head ?? null;
    return head === null ? [] : [stepId(head)];
  });
  const steps = await readReadable(store, newest);
  return sessions.map((session) => summaryOf(session, heads, steps));
}

function summaryOf(session: string, heads: Readable, steps: Readable): SessionSummary {
  const document = documentIn(heads, sessionObjectId(session), "session");
  const chat = documentIn(heads, chatId(session), "chat");
  if (document === undefined || chat === undefined) return headless(session, heads);
  const { head, forked_from } = document;
  const step = head === null ? undefined : documentIn(steps, stepId(head), "step");
  const lease = documentIn(heads, leaseId(session), "lease");
  return {
    session,
    status: document.status,
    steps: chat.step_count,
    turns: chat.turn_count,
    toolcalls: chat.toolcall_count,
    counts: countsOf(document),
    head,
    ...defined({ forkedFrom: forked_from }),
    ...(lease === undefined ? {} : { lease: leaseOf(lease) }),
    ...(step === undefined ? {} : { recordedAtMs: step.recorded_at }),
  };
}

function documentIn<T extends "session" | "chat" | "lease" | "step">(
  { found }: Readable,
  id: string,
  type: T,
): DocumentOf<T> | undefined {
  const document = found.get(id)?.document;
  return document !== undefined && isDocumentOf(document, type) ? document : undefined;
}

const countsOf = ({ index_count, pool_count, active_count, pinned_count }: DocumentOf<"session">) => ({
  index: index_count,
  pool: pool_count,
  active: active_count,
  pinned: pinned_count,
});

const leaseOf = ({ owner, acquired_at, expires_at }: DocumentOf<"lease">) => ({
  owner,
  acquiredAtMs: acquired_at,
  expiresAtMs: expires_at,
});

function headless(session: string, { found }: Readable): SessionSummary {
  const isErased = [sessionObjectId(session), chatId(session)].some((id) => found.get(id)?.erased !== undefined);
  const counts = { index: 0, pool: 0, active: 0, pinned: 0 };
  return { session, status: isErased ? "erased" : "damaged", steps: 0, turns: 0, toolcalls: 0, counts, head: null };
}
