import type { ContextView } from "@cm/context-log";
import type { LogState } from "@cm/context-log/state";
import { type DocumentOf, keyframeId } from "@cm/object-model";
import { limits } from "../limits.ts";

/** What a step's keyframe holds: nothing, the sets in full, the session's state. */
export function keyframeDue(
  state: Pick<LogState, "session" | "sets" | "depth" | "successions">,
  n: number,
  options: { readonly newest: DocumentOf<"session">["keyframe"]; readonly every: number | undefined },
): { readonly lists: boolean; readonly holdsState: boolean } {
  const holdsState = stateIsDue(state, n, options.every);
  // Who opens a session reads every state, and no lists: those wait for the next step.
  const isFree = !holdsState || options.every !== undefined;
  return { lists: isFree && listsAreDue(state, n, options), holdsState };
}

/**
 * Whether a step gets a keyframe with the sets. It lists every id of the session, so at a fixed distance its bytes would
 * grow with the square of the session. The distance therefore grows with the sets: however long a session is, a step pays
 * for at most `keyframeIdsPerStep` ids of keyframes, or for twice as many as the session grew by in a step, since those
 * stand in its steps as well. Pure.
 * @param every the distance where the caller fixed it
 */
export function listsAreDue(
  state: Pick<ContextView, "session" | "sets">,
  n: number,
  { newest, every }: { readonly newest: DocumentOf<"session">["keyframe"]; readonly every: number | undefined },
): boolean {
  if (every !== undefined) return (n + 1) % every === 0;
  const ids = Object.values(state.sets).reduce((sum, { size }) => sum + size, 0);
  const distance = n - stepOfKeyframe(state.session, newest);
  const affordable = Math.min(ids / limits.keyframeIdsPerStep, (n + 1) / 2);
  return distance >= Math.max(limits.keyframeStepsMin, affordable);
}

/** -1 where the session has none of its own yet: then the distance counts from its start. */
function stepOfKeyframe(session: string, newest: string | undefined): number {
  const n = Number(newest?.slice(newest.lastIndexOf(":") + 1));
  return newest === keyframeId({ session, n }) ? n : -1;
}

/**
 * Whether a step's keyframe holds the session's state. It says what changed since the one before, so that a step pays
 * for what it did; and no more than so many steps are replayed when the session is opened. Pure.
 */
function stateIsDue(
  { depth, successions }: Pick<LogState, "depth" | "successions">,
  n: number,
  every: number | undefined,
): boolean {
  if (successions.size > 0) return false;
  return every === undefined ? (depth + 1) % limits.keyframeStepsMin === 0 : (n + 1) % every === 0;
}
