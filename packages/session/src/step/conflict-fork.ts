import type { OtherWriter, SessionFork } from "@cm/context-log";
import { type LogState, stateAs } from "@cm/context-log/state";
import { limits as modelLimits, type ObjectStore, type StepAddress, stepId, type Write } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import type { SessionHeads } from "../history/read-path.ts";
import { continuedHeads } from "./head-documents.ts";
import type { Lease } from "./lease.ts";
import { readHeadsAndLease } from "./read-lease.ts";

/** A session that goes on where another client wrote the session before it, ready to be written (SSOT 3.7). */
export interface ConflictFork {
  readonly fork: SessionFork;
  /** Of the left session, as the lease says; nothing where it names no other client. */
  readonly otherWriter: OtherWriter;
  /** The state under the fork's id. The state that it was made of stays as it is. */
  readonly state: LogState;
  /** To be written for the first time: `absent` is what stands in place of their tokens. */
  readonly heads: SessionHeads;
  /** Of the fork. */
  readonly lease: Lease;
  /** Gives up the lease of the session that is left. */
  readonly released: readonly Write[];
}

export interface ConflictContext {
  readonly store: ObjectStore;
  readonly state: LogState;
  /** Tells this open session from every other one. */
  readonly client: string;
  /** As they were after the newest step of the state. */
  readonly heads: SessionHeads;
  readonly lease: Lease;
  readonly nowMs: number;
}

/** The heads as they are now where the newest step is still our own, else a fork that leaves them to the other writer. */
export type AfterConflict = { readonly heads: SessionHeads } | ConflictFork;

/**
 * Reads the heads again after a conflict over them.
 * @param number of the attempt to fork, from 1: a session of the name before may be there
 * @throws CmError `session/damaged`, or what the store throws
 */
export async function afterConflict(context: ConflictContext, number: number): Promise<AfterConflict> {
  const { store, state, lease } = context;
  const found = await readHeadsAndLease(store, state.session);
  if (found === undefined) {
    const { session } = state;
    throw sessionError("session/damaged", `The heads of session ${session} are gone.`, { session });
  }
  lease.learn(found.lease);
  return isSameStep(found.heads.session.head, state.head) ? { heads: found.heads } : conflictFork(context, number);
}

function conflictFork({ state, client, heads, lease, nowMs }: ConflictContext, number: number): ConflictFork {
  const session = forkName(state.session, client, number);
  const forked = { ...state, ...stateAs(state, session) };
  return {
    fork: { session, left: state.session, from: state.head },
    otherWriter: lease.other ?? {},
    state: forked,
    heads: { ...continuedHeads(heads, forked), sessionToken: "absent", chatToken: "absent", basis: heads.basis },
    lease: lease.of(session),
    released: lease.release(nowMs),
  };
}

/** `{session}~{client}`, the same for the same client; a number tells its next fork from the ones before. */
function forkName(session: string, client: string, number: number): string {
  const own = `~${client.replaceAll("-", "").slice(0, 8)}`;
  const at = session.lastIndexOf(own);
  const isOwn = at > 0;
  const place = number + (isOwn ? Number(session.slice(at + own.length + 1) || 1) : 0);
  const suffix = place === 1 ? own : `${own}-${place}`;
  const base = isOwn ? session.slice(0, at) : session;
  return `${base.slice(0, modelLimits.sessionIdCharsMax - suffix.length)}${suffix}`;
}

export function isSameStep(a: StepAddress | null, b: StepAddress | null): boolean {
  return (a === null ? "" : stepId(a)) === (b === null ? "" : stepId(b));
}
