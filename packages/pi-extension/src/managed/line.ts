import { randomUUID } from "node:crypto";
import { isCmError, type ObjectStore, type Prices, type Source, type StateCache } from "@cm/object-model";
import { type LayoutPreset, rendererFor } from "@cm/render";
import { type DiscoverPrefix, forkSession, openSession, returnToStep, type Session } from "@cm/session";
import type { BranchItem } from "../branch/branch-item.ts";
import type { StepTouches } from "../files/step-touches.ts";
import { itemsCovered } from "../follow/common-start.ts";
import { Follower } from "../follow/follower.ts";
import type { Link } from "../link/link-entry.ts";
import type { Redactor } from "../messages/secrets.ts";

export interface LineOptions {
  readonly store: ObjectStore;
  readonly stateCache?: StateCache;
  readonly sources: readonly Source[];
  readonly redact: Redactor;
  readonly preset: LayoutPreset;
  readonly prices: Prices;
  readonly headChars: number;
  readonly discover: readonly DiscoverPrefix[];
  readonly touchesOf: StepTouches;
}

/** An open session and the follower that keeps it up with a branch. */
export interface Line {
  readonly store: ObjectStore;
  readonly session: Session;
  readonly follower: Follower;
  /** Branch and session were not linked before. */
  readonly isNew: boolean;
}

/** Where a line begins: the branch, and the link that was found on it. */
export interface LineStart {
  readonly items: readonly BranchItem[];
  readonly link: Link | undefined;
  readonly piSession: string;
}

/**
 * Opens the session that a branch belongs to: the linked one; of a fork one that continues the linked step; else a new one,
 * into which the branch is filled. @throws what the session and the store throw
 */
export async function openLine(options: LineOptions, { items, link, piSession }: LineStart): Promise<Line> {
  const isOwn = link?.piSession === piSession;
  const linked = link === undefined || isOwn ? link : await forked(options.store, link);
  const line = linked === undefined ? undefined : await joined(options, linked, items);
  if (line !== undefined) return { ...line, isNew: !isOwn };
  const session = await open(options, randomUUID());
  return { store: options.store, session, follower: new Follower(session, [], options.touchesOf), isNew: true };
}

/** Undefined where that session is not in this database, or has no step yet. */
async function forked(store: ObjectStore, { session, n }: Link): Promise<Pick<Link, "session"> | undefined> {
  if (n === undefined) return undefined;
  try {
    return { session: (await forkSession(store, { session, n })).session };
  } catch (error) {
    if (isCmError(error, "session/not-found")) return undefined;
    throw error;
  }
}

/** The session where it stands if that is on the branch, else where the link says. Undefined: it is of no use here. */
async function joined(
  options: LineOptions,
  link: Pick<Link, "session" | "n">,
  items: readonly BranchItem[],
): Promise<Omit<Line, "isNew"> | undefined> {
  const { store, redact, touchesOf } = options;
  for (const isReturned of [false, true]) {
    if (isReturned) await returnToStep(store, { session: link.session, n: link.n ?? null });
    const session = await open(options, link.session);
    const covered = itemsCovered(session.view().log, items, redact);
    if (covered !== undefined) {
      return { store, session, follower: new Follower(session, items.slice(0, covered), touchesOf) };
    }
    await session.close();
  }
  return undefined;
}

function open({ store, sources, redact, preset, prices, ...more }: LineOptions, session: string): Promise<Session> {
  const { headChars, discover, stateCache } = more;
  return openSession({
    ...{ store, sources, redact, ...preset, prices, headChars, discover, rendererFor, session },
    ...(stateCache === undefined ? {} : { stateCache }),
  });
}
