import { randomUUID } from "node:crypto";
import type { Layout, Prices } from "@cm/context-log";
import { defined, isCmError, type ObjectStore, type Source, type StateCache } from "@cm/object-model";
import { rendererFor } from "@cm/render";
import {
  type DiscoverPrefix,
  forkSession,
  openSession,
  type ReturnTarget,
  returnToStep,
  type Session,
} from "@cm/session";
import type { Redactor } from "@cm/sources-fs";
import type { BranchItem } from "../branch/branch-item.ts";
import type { StepTouches } from "../files/step-touches.ts";
import { itemsCovered } from "../follow/common-start.ts";
import { Follower } from "../follow/follower.ts";
import type { Link } from "../link/link-entry.ts";
import { AnnouncedAmendments } from "../others/announced-amendments.ts";

export interface FollowedSessionOptions {
  readonly store: ObjectStore;
  readonly stateCache?: StateCache;
  readonly sources: readonly Source[];
  /** More of them, which are loaded on demand. */
  readonly furtherSources?: () => Promise<readonly Source[]>;
  readonly redact: Redactor;
  readonly layout: Layout;
  readonly prices: Prices;
  readonly headChars: number;
  readonly discover: readonly DiscoverPrefix[];
  readonly touchesOf: StepTouches;
  /** Whether a call that an entry of Pi made may have run, though its branch has no result. Default: it has not. */
  readonly mayHaveRun?: (callId: string, answer: string) => boolean;
}

/** What is the same for every store. */
export type StorelessOptions = Omit<FollowedSessionOptions, "store" | "stateCache">;

/** An open session and the follower that keeps it up with a branch. */
export interface FollowedSession {
  readonly store: ObjectStore;
  readonly session: Session;
  readonly follower: Follower;
  /** What the session knows of the work of others on its messages. */
  readonly told: AnnouncedAmendments;
  /** Branch and session were not linked before. */
  readonly isNew: boolean;
  /** The session that was left for it, since the database has lost something of it. */
  readonly left?: string;
}

/** Where a line begins. */
export interface FollowStart {
  readonly items: readonly BranchItem[];
  /** The newest link on the branch. */
  readonly link: Link | undefined;
  /** The newest link of this session of Pi on any branch. */
  readonly own: Link | undefined;
  /** No call of the branch runs any more. Default: one may. */
  readonly isOver?: boolean;
}

/** A branch that no session is known of: it is filled into a new one. */
export const unlinked: Omit<FollowStart, "items"> = { link: undefined, own: undefined };

/**
 * Opens the session that a branch belongs to: the one of this session of Pi; in a fork one that continues the step that
 * was linked before; else a new one, into which the branch is filled. So it is where the database has lost something of that one: the
 * branch still has it. @throws what the session and the store throw
 */
export async function openFollowedSession(
  options: FollowedSessionOptions,
  { items, link, own, isOver = false }: FollowStart,
): Promise<FollowedSession> {
  const known = await linkedLine(options, { items, link, own, isOver });
  // One that was there before, a fork too, may know changes that are over by now.
  if (known !== undefined && "line" in known)
    return { ...known.line, told: new AnnouncedAmendments({ isNew: false }), isNew: known.isNew };
  const session = await open(options, randomUUID());
  const follower = new Follower(session, [], options);
  const told = new AnnouncedAmendments({ isNew: true });
  return { store: options.store, session, follower, told, isNew: true, ...defined({ left: known?.left }) };
}

type Line = Omit<FollowedSession, "isNew" | "told">;

/** Undefined where none is known; else its line, or the name of one that is damaged. */
async function linkedLine(
  options: FollowedSessionOptions,
  { items, link, own, isOver = false }: FollowStart,
): Promise<{ readonly line: Line; readonly isNew: boolean } | { readonly left: string } | undefined> {
  const isFork = own === undefined && link !== undefined;
  try {
    const target = isFork ? await forked(options.store, link) : own && ownTarget(own, link);
    const line = target === undefined ? undefined : await joined(options, target, { items, isOver });
    if (line === undefined) return undefined;
    const { session } = line.session;
    if (!lacksOutput(line.session)) return { line, isNew: isFork || session !== target?.session };
    await line.session.abandon();
    return { left: session };
  } catch (error) {
    if (!isCmError(error, "session/damaged")) throw error;
    return { left: (own ?? link)?.session ?? "" };
  }
}

/** Whether the database has lost what a call of it gave. A lost file is read again. */
const lacksOutput = (session: Session): boolean =>
  [...session.view().objects.values()].some(({ kind, textless }) => kind === "toolcall" && textless === "missing");

/**
 * The step of our session that the branch stands on: its own, or one that it inherited from the session it was forked
 * of.
 */
function ownTarget({ session }: Link, link: Link | undefined): ReturnTarget {
  const n = link?.n ?? null;
  return link === undefined || link.session === session ? { session, n } : { session, n, of: link.session };
}

/** Undefined where that session is not in this database, or has no step yet. */
async function forked(store: ObjectStore, { session, n }: Link): Promise<ReturnTarget | undefined> {
  if (n === undefined) return undefined;
  try {
    return { session: (await forkSession(store, { session, n })).session, n, of: session };
  } catch (error) {
    if (isCmError(error, "session/not-found")) return undefined;
    throw error;
  }
}

type BranchToFill = Required<Pick<FollowStart, "items" | "isOver">>;

/** The session where it stands if that is on the branch, else where the link says. Undefined: it is of no use here. */
async function joined(
  options: FollowedSessionOptions,
  target: ReturnTarget,
  { items, isOver }: BranchToFill,
): Promise<Line | undefined> {
  const { store, redact } = options;
  for (const isReturned of [false, true]) {
    if (isReturned && !(await isReturnedTo(store, target))) return undefined;
    let session = await open(options, target.session);
    let covered = itemsCovered(session, items, redact);
    if (covered !== undefined && items.slice(covered).some(({ kind }) => kind === "answer")) {
      await session.abandon();
      session = await open(options, await filledIn(options, target.session, { items, isOver }));
      covered = itemsCovered(session, items, redact);
    }
    if (covered !== undefined) {
      return { store, session, follower: new Follower(session, items.slice(0, covered), options) };
    }
    await session.abandon();
  }
  return undefined;
}

/**
 * Records the answers of a branch that a session lacks, before it looks at its files: what their calls changed did not
 * change while it was away. Answers the session's id, another one where another program wrote it meanwhile.
 */
async function filledIn(options: FollowedSessionOptions, id: string, { items, isOver }: BranchToFill): Promise<string> {
  const session = await open(options, id, { sweep: false });
  try {
    const covered = itemsCovered(session, items, options.redact) ?? items.length;
    // What was said behind them is for the request to come.
    const end = items.findLastIndex(({ kind }) => kind !== "said") + 1;
    // What is found then is told behind calls that were interrupted, too: they may have done it.
    await new Follower(session, items.slice(0, covered), options).follow(items.slice(0, end), { isOver });
    await session.close();
    return session.session;
  } catch (error) {
    await session.abandon();
    throw error;
  }
}

async function isReturnedTo(store: ObjectStore, target: ReturnTarget): Promise<boolean> {
  try {
    await returnToStep(store, target);
    return true;
  } catch (error) {
    if (isCmError(error, "session/not-found")) return false;
    throw error;
  }
}

async function open(
  { store, redact, layout, prices, ...more }: FollowedSessionOptions,
  session: string,
  looks: { readonly sweep?: false } = {},
): Promise<Session> {
  const { headChars, discover, stateCache } = more;
  const sources = [...more.sources, ...((await more.furtherSources?.()) ?? [])];
  return openSession({
    ...{ store, sources, redact, layout, prices, headChars, discover, rendererFor, session, ...looks },
    ...defined({ stateCache }),
  });
}
