import {
  chatId,
  type DocumentOf,
  isDocumentOf,
  type ListedVersion,
  leaseId,
  type ObjectStore,
  type StepAddress,
  type StoredVersion,
  sessionOfReference,
  stepId,
} from "@cm/object-model";
import { limits } from "../limits.ts";

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
  readonly lease?: { readonly owner: string; readonly acquiredAtMs: number; readonly expiresAtMs: number };
  /** When the newest step was recorded, by the clock of who recorded it. */
  readonly recordedAtMs?: number;
}

/**
 * All sessions of a store, by id, in three reads a page. What cannot be read is listed as such.
 * @throws CmError what the store throws
 */
export async function* listSessions(store: ObjectStore): AsyncGenerator<SessionSummary> {
  let cursor: string | undefined;
  do {
    const page = { documents: true, limit: limits.sessionsPerPage, ...(cursor === undefined ? {} : { cursor }) };
    const { versions, next } = await store.find({ type: "session" }, page);
    const ids = versions.flatMap((version) => companionsOf(version));
    const found = await store.getMany(ids);
    for (const version of versions) yield summaryOf(version, found);
    cursor = next;
  } while (cursor !== undefined);
}

function companionsOf({ id, document }: ListedVersion): readonly string[] {
  const session = sessionOfReference(id);
  const head = document !== undefined && isDocumentOf(document, "session") ? document.head : null;
  return [chatId(session), leaseId(session), ...(head === null ? [] : [stepId(head)])];
}

function summaryOf({ id, document }: ListedVersion, found: ReadonlyMap<string, StoredVersion>): SessionSummary {
  const session = sessionOfReference(id);
  const chat = found.get(chatId(session));
  const isErased = chat?.erased !== undefined;
  const { document: chatDocument } = chat ?? {};
  if (document === undefined || !isDocumentOf(document, "session")) return withoutHeads(session, "damaged");
  if (chatDocument === undefined || !isDocumentOf(chatDocument, "chat"))
    return withoutHeads(session, isErased ? "erased" : "damaged");
  const { head, forked_from } = document;
  const step = head === null ? undefined : found.get(stepId(head))?.document;
  const lease = found.get(leaseId(session))?.document;
  return {
    session,
    status: document.status,
    steps: chatDocument.step_count,
    turns: chatDocument.turn_count,
    toolcalls: chatDocument.toolcall_count,
    counts: countsOf(document),
    head,
    ...(forked_from === undefined ? {} : { forkedFrom: forked_from }),
    ...(lease !== undefined && isDocumentOf(lease, "lease") ? { lease: leaseOf(lease) } : {}),
    ...(step !== undefined && isDocumentOf(step, "step") ? { recordedAtMs: step.recorded_at } : {}),
  };
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

function withoutHeads(session: string, status: "erased" | "damaged"): SessionSummary {
  const counts = { index: 0, pool: 0, active: 0, pinned: 0 };
  return { session, status, steps: 0, turns: 0, toolcalls: 0, counts, head: null };
}
