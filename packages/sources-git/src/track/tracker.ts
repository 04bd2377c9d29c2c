import { defined, type GitBinding, type Tracked, type Tracker, watchedState } from "@cm/object-model";
import { limits } from "../limits.ts";
import { type Reason, reasonOf, reasons } from "../reasons.ts";
import type { Timer } from "../timer.ts";

export interface TrackerOptions {
  /** A mark for each ref of a repository that differs once it has moved. Throws `Trouble`. */
  readonly marks: (repo: string, refs: ReadonlySet<string>) => Promise<ReadonlyMap<string, string>>;
  readonly onHint: (binding: GitBinding) => void;
  readonly timer: Timer;
  readonly random: () => number;
  readonly pollMs: number;
  readonly onClose: () => void;
}

interface Followed {
  readonly binding: GitBinding;
  state: Tracked["state"];
  reason: Reason | undefined;
  /** The state of its ref at the last conclusive look. */
  mark: string | undefined;
}

/**
 * Looks at the refs of followed bindings, by a timer and for each waiting caller. Looks run one after the other, so
 * each sees all changes before its start.
 */
export function openTracker(options: TrackerOptions): Tracker<GitBinding> {
  const { onHint, timer, random, pollMs, onClose } = options;
  const followed = new Map<string, Followed>();
  let lastLook: Promise<unknown> = Promise.resolve();
  let closed = false;
  let waitMs = pollMs;
  let callOff: () => void = () => {};

  const plan = (): void => {
    callOff();
    if (closed || followed.size === 0) return;
    // Spread, so that many clients of one repository do not look at the same moment.
    callOff = timer(Math.round(waitMs * (0.75 + random() / 2)), () => {
      lookNext().catch(() => {});
    });
  };
  const lookNext = (): Promise<void> => {
    const look = lastLook.then(async () => {
      if (closed) return;
      const moved = await lookAtAll(followed, options.marks);
      if (closed) return;
      waitMs = moved.length > 0 ? pollMs : Math.min(waitMs * 2, Math.max(pollMs, limits.pollMaxMs));
      hintAll(moved, onHint);
    });
    lastLook = look.catch(() => {}).then(plan);
    return look;
  };

  return {
    async follow(bindings) {
      if (closed) return;
      for (const binding of bindings) add(followed, binding);
      waitMs = pollMs;
      if (bindings.length > 0) await lookNext();
    },
    states: () => [...followed.values()].map(shown),
    settled: () => lookNext(),
    async close() {
      if (closed) return;
      closed = true;
      callOff();
      for (const one of followed.values()) orphan(one, reasons.closed);
      onClose();
      await lastLook;
    },
  };
}

function shown({ binding, state, reason }: Followed): Tracked<GitBinding> {
  return { binding: { ...binding }, state, ...defined({ reason }) };
}

/** All receivers are called, even if one throws; then the error goes to the callers that wait for this look. */
function hintAll(moved: readonly GitBinding[], onHint: TrackerOptions["onHint"]): void {
  const thrown: unknown[] = [];
  for (const binding of moved) {
    try {
      onHint({ ...binding });
    } catch (error) {
      thrown.push(error);
    }
  }
  if (thrown.length > 0) throw thrown[0];
}

function add(followed: Map<string, Followed>, binding: GitBinding): void {
  const key = JSON.stringify([binding.repo, binding.ref, binding.path]);
  if (followed.has(key)) return;
  const one: Followed = { binding: { ...binding }, state: "unchecked", reason: undefined, mark: undefined };
  followed.set(key, one);
}

/** The bindings to hint: their ref has moved, or it can be seen again after a time in which it could not. */
async function lookAtAll(
  followed: ReadonlyMap<string, Followed>,
  marksOf: TrackerOptions["marks"],
): Promise<readonly GitBinding[]> {
  const byRepo = new Map<string, Followed[]>();
  let count = 0;
  for (const one of followed.values()) {
    count += 1;
    if (count > limits.followedMax) {
      orphan(one, reasons.tooManyFollowed);
      continue;
    }
    const group = byRepo.get(one.binding.repo);
    if (group === undefined) byRepo.set(one.binding.repo, [one]);
    else group.push(one);
  }
  const moved: GitBinding[] = [];
  for (const [repo, group] of byRepo) {
    try {
      const marks = await marksOf(repo, new Set(group.map(({ binding }) => binding.ref)));
      for (const one of group) {
        const mark = marks.get(one.binding.ref);
        if (mark === undefined) orphan(one, reasons.noRef);
        else if (attach(one, mark)) moved.push(one.binding);
      }
    } catch (error) {
      for (const one of group) orphan(one, reasonOf(error));
    }
  }
  return moved;
}

function attach(one: Followed, mark: string): boolean {
  const wasOrphaned = one.state === "orphaned";
  const hasMoved = one.mark !== undefined && one.mark !== mark;
  one.mark = mark;
  one.reason = undefined;
  one.state = watchedState(one.state);
  return hasMoved || wasOrphaned;
}

function orphan(one: Followed, reason: Reason): void {
  one.state = "orphaned";
  one.reason = reason;
}
