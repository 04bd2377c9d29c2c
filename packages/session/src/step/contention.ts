import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { OtherWriter, SessionFork } from "@cm/context-log";
import { type LogState, stateAs } from "@cm/context-log/state";
import {
  type CommitReceipt,
  chatId,
  type DocumentOf,
  isCmError,
  isDocumentOf,
  leaseId,
  limits as modelLimits,
  type ObjectStore,
  type StepAddress,
  sealDocument,
  sessionObjectId,
  stepId,
  type Write,
} from "@cm/object-model";
import { headsIn, type SessionHeads } from "@cm/step-log/load";
import { sessionError } from "../errors.ts";
import { type NewestWrites, newestWrites } from "../files/stored-files.ts";
import { limits } from "../limits.ts";
import { continuedHeads, firstHeads, headWith, systemPromptDocument, writesOf } from "./step-documents.ts";

// A session may have several writers: a lease tells of them and never locks, a commit that another one won is tried
// again, and a step that came too late begins a fork.

/** Tells this open session from every other one, and people where it runs. */
export function ownerHere(): string {
  return ownerName(`${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`);
}

/** A name as a document can carry it. */
export function ownerName(name: string): string {
  return name.slice(0, modelLimits.nameCharsMax).toWellFormed();
}

export interface LeaseOptions {
  readonly session: string;
  readonly owner: string;
  /** For how long it holds when it is taken or renewed. */
  readonly leaseMs: number;
}

/** Who writes a session, as far as this client knows (SSOT 2.6). It informs and never locks: each commit counts. */
export class Lease {
  readonly #options: LeaseOptions;
  #newest: DocumentOf<"lease"> | undefined;

  /** @param newest the lease as it was read, any client's */
  constructor(options: LeaseOptions, newest: DocumentOf<"lease"> | undefined) {
    this.#options = options;
    this.#newest = newest;
  }

  /** The lease of another session for this client, before it is taken. */
  of(session: string): Lease {
    return new Lease({ ...this.#options, session }, undefined);
  }

  /** The lease was read again. */
  learn(newest: DocumentOf<"lease"> | undefined): void {
    this.#newest = newest;
  }

  /** Whom the newest lease names, if that is not this client: it may be over by now. */
  get other(): OtherWriter | undefined {
    if (this.#newest === undefined || this.#isOwn) return undefined;
    const { owner, acquired_at, expires_at } = this.#newest;
    return { owner, acquiredAtMs: acquired_at, expiresAtMs: expires_at };
  }

  /** Another client that holds the lease now. */
  heldByOther(nowMs: number): OtherWriter | undefined {
    const { other } = this;
    return (other?.expiresAtMs ?? 0) > nowMs ? other : undefined;
  }

  /** What takes or renews it: nothing while more than half is left, or while it is another client's. */
  renewal(nowMs: number): readonly Write[] {
    if (this.heldByOther(nowMs) !== undefined) return [];
    const { leaseMs } = this.#options;
    const left = this.#isOwn ? (this.#newest?.expires_at ?? 0) - nowMs : 0;
    if (left > 0 && left >= leaseMs / 2) return [];
    const acquiredAtMs = left > 0 ? (this.#newest?.acquired_at ?? nowMs) : nowMs;
    return [this.#write(acquiredAtMs, nowMs + leaseMs)];
  }

  /** What gives it up: nothing where this client does not hold it. */
  release(nowMs: number): readonly Write[] {
    if (this.#newest === undefined || !this.#isOwn || this.#newest.expires_at <= nowMs) return [];
    return [this.#write(this.#newest.acquired_at, nowMs)];
  }

  /** These writes are in the store. */
  confirm(writes: readonly Write[]): void {
    const id = leaseId(this.#options.session);
    const written = writes.find(({ document }) => document["xt/id"] === id)?.document;
    if (written !== undefined) this.#newest = written as DocumentOf<"lease">;
  }

  get #isOwn(): boolean {
    return this.#newest?.owner === this.#options.owner;
  }

  /** Without a condition: a lease is a courtesy, and no step is lost to it. */
  #write(acquiredAtMs: number, expiresAtMs: number): Write {
    const { session, owner } = this.#options;
    const document = sealDocument(
      { type: "lease", id: leaseId(session) },
      {
        content: null,
        session_ref: sessionObjectId(session),
        owner,
        acquired_at: acquiredAtMs,
        expires_at: expiresAtMs,
      },
    );
    return { document, expect: "any" };
  }
}

/** Heads and lease, read together. Undefined where there is no such session. @throws CmError `session/damaged` */
export async function readHeadsAndLease(
  store: ObjectStore,
  session: string,
): Promise<{ readonly heads: SessionHeads; readonly lease: DocumentOf<"lease"> | undefined } | undefined> {
  const found = await store.getMany([sessionObjectId(session), chatId(session), leaseId(session)]);
  const heads = headsIn(found, session);
  const lease = found.get(leaseId(session))?.document;
  if (heads === undefined) return undefined;
  return { heads, lease: isDocumentOf(lease, "lease") ? lease : undefined };
}

interface StartedOrTakenUp extends Acquired {
  /** It was there before. */
  readonly continued: boolean;
}

/**
 * Takes up a session, or starts it where there is none. Where two clients start one, both go on with the first.
 * @throws CmError `session/damaged`, `session/busy`, or what the store throws
 */
export async function takeUpOrStart(options: AcquireOptions, systemPrompt: string): Promise<StartedOrTakenUp> {
  const existing = await acquireSession(options);
  if (existing !== undefined) return { ...existing, continued: true };
  const lost = await start(options, systemPrompt);
  const started = await acquireSession(options);
  if (started !== undefined) return { ...started, continued: isCmError(lost, "store/conflict") };
  if (isCmError(lost, "store/unknown-outcome")) throw lost;
  const { session } = options;
  throw sessionError("session/damaged", `The session ${session} was written and cannot be read back.`, { session });
}

/** Writes the infrastructure of a new session (SSOT 5.7). Gives what leaves open whether it is there now. */
async function start(options: AcquireOptions, systemPrompt: string): Promise<unknown> {
  const { store, session, nowMs, client } = options;
  const heads = firstHeads(session);
  const documents = [heads.session, heads.chat, systemPromptDocument(session, systemPrompt)];
  try {
    const writes = [...writesOf(documents, "absent"), ...new Lease(options, undefined).renewal(nowMs)];
    await commitUntilAnswered(store, writes, `${client} start`);
    return undefined;
  } catch (error) {
    if (isCmError(error, "store/conflict") || isCmError(error, "store/unknown-outcome")) return error;
    throw error;
  }
}

/** A session that this client may write now. */
interface Acquired {
  readonly heads: SessionHeads;
  readonly lease: Lease;
  /** Held the lease when this client came. */
  readonly otherWriter: OtherWriter | undefined;
}

interface AcquireOptions extends LeaseOptions {
  readonly store: ObjectStore;
  readonly nowMs: number;
  /** Tells this open session from every other one. */
  readonly client: string;
}

/**
 * Reads the heads of a session that exists and takes its lease; one that was paused becomes active in the same commit.
 * Where the store takes no writes now, the session can be read all the same, and its first step says so.
 * @throws CmError `session/damaged`, `session/busy`, or what the store throws when it is read
 */
async function acquireSession(options: AcquireOptions): Promise<Acquired | undefined> {
  const { store, session, nowMs, client } = options;
  return retryOnConflict({ session }, async (attempt) => {
    const found = await readHeadsAndLease(store, session);
    if (found === undefined) return undefined;
    const { heads } = found;
    const lease = new Lease(options, found.lease);
    const taken = { heads, lease, otherWriter: lease.heldByOther(nowMs) };
    const { status, pending } = heads.session;
    const active = status === "active" ? undefined : headWith(heads, { status: "active", pending });
    const activated: readonly Write[] = active === undefined ? [] : [{ document: active, expect: heads.sessionToken }];
    const writes = [...activated, ...lease.renewal(nowMs)];
    if (writes.length === 0) return taken;
    try {
      const { basis, results } = await commitUntilAnswered(store, writes, `${client} open ${attempt}`);
      lease.confirm(writes);
      if (active === undefined) return taken;
      return { ...taken, heads: { ...heads, session: active, sessionToken: results[0]?.token ?? "", basis } };
    } catch (error) {
      if (!isCmError(error) || !error.code.startsWith("store/")) throw error;
      // Who was faster has made it active, or a step: it is read again. Should the answer be lost, the first step finds out.
      if (active === undefined || error.code !== "store/conflict") return taken;
      throw error;
    }
  });
}

interface Retry {
  readonly session: string;
  /** What is said when no attempt is left. Default: that other writers kept winning. */
  readonly busy?: string;
  /** Called after each conflict with the objects that others wrote meanwhile, by their ids. */
  readonly lost?: (newest: NewestWrites) => Promise<void>;
}

/**
 * Makes an attempt to commit, and another one after each `store/conflict`: an attempt reads anew what others wrote.
 * @param attempt called with its number, from 1
 * @throws CmError `session/busy` after `limits.commitAttemptsMax` attempts, or what an attempt throws else
 */
export async function retryOnConflict<T>(
  { session, busy = `Other writers of session ${session} kept winning; try again.`, lost }: Retry,
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  for (let number = 1; number <= limits.commitAttemptsMax; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!isCmError(error, "store/conflict")) throw error;
      await lost?.(newestWrites(error));
    }
  }
  throw sessionError("session/busy", busy, { session });
}

/** Commits, and repeats that very commit a few times where its answer was lost. @throws what the store throws */
export async function commitUntilAnswered(
  store: ObjectStore,
  writes: readonly Write[],
  requestId: string,
): Promise<CommitReceipt> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await store.commit(writes, { requestId });
    } catch (error) {
      if (!isCmError(error, "store/unknown-outcome") || repeat >= limits.commitRepeatsMax) throw error;
    }
  }
}

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
type AfterConflict = { readonly heads: SessionHeads } | ConflictFork;

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
