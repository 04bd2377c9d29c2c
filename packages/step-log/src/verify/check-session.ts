import { ContextLog, type LogState } from "@cm/context-log/state";
import {
  firstChain,
  isCmError,
  isDocumentOf,
  nextChain,
  type ObjectStore,
  type StepAddress,
  sessionObjectId,
  stepId,
} from "@cm/object-model";
import { keyframesOf } from "../keyframe/keyframes-of.ts";
import { limits } from "../limits.ts";
import { headVersions } from "../path/head-versions.ts";
import { readInParts } from "../path/read-in-parts.ts";
import { asWritten, readHeads, readPath, type SessionHeads } from "../path/read-path.ts";
import { replaySteps } from "../path/replay.ts";
import { checkKeyframe, checkNewestState } from "./check-keyframes.ts";
import type { Finding } from "./finding.ts";

/**
 * Follows a session from its first step and holds heads and keyframes against what the steps make. What the steps name
 * is not looked at.
 * @param store one that hands out sound documents only
 * @param isUnfinished a bundle's steps were being added behind the head
 */
export async function* checkSession(
  store: ObjectStore,
  session: string,
  isUnfinished = false,
): AsyncGenerator<Finding> {
  try {
    const heads = await readHeads(store, session);
    if (heads === undefined) return;
    for await (const finding of checkNumbers(store, session, heads)) {
      if (!(isUnfinished && finding.problem === "head")) yield finding;
    }
    const keyframes = await keyframesOf(store, session);
    const log = new ContextLog(session, 0);
    const chains = new Map<string, string>();
    yield* followPath(store, { session, to: heads.session.head, log, keyframes, chains });
    yield* checkHeads(log.state, heads);
    yield* await checkNewestState(store, heads.session.head);
    // What is left lies on branches that the head's path does not follow: other writers', or those it went back from.
    for (const n of keyframes) {
      const branch = { log: new ContextLog(session, 0), keyframes: new Set([n]), chains: new Map() };
      yield* followPath(store, { session, to: { session, n }, ...branch });
    }
    yield* checkLeftSteps(store, session, { heads, chains });
  } catch (error) {
    if (!isCmError(error)) throw error;
    const id = sessionObjectId(session);
    yield { id, type: "session", problem: "path", detail: `${error.code}: ${error.message}` };
  }
}

interface Walk {
  readonly session: string;
  readonly to: StepAddress | null;
  readonly log: ContextLog;
  /** Steps of this session with a keyframe; those that were checked are taken out. */
  readonly keyframes: Set<number>;
  /** Filled with the chain after each step, by its id. */
  readonly chains: Map<string, string>;
}

/** Takes a state along a path. After an erased step the sets are unknown, and keyframes are passed over. */
async function* followPath(store: ObjectStore, { session, to, log, keyframes, chains }: Walk): AsyncGenerator<Finding> {
  const { state } = log;
  for await (const { address } of replaySteps(store, to, log)) {
    chains.set(stepId(address), state.chain);
    if (address.session !== session || !keyframes.delete(address.n) || state.gapAt !== undefined) continue;
    yield* await checkKeyframe(store, address, state);
  }
}

function* checkHeads(state: LogState, { session, chat }: SessionHeads): Generator<Finding> {
  const isWhole = state.gapAt === undefined;
  const { sets } = state;
  const ofSession = {
    chain: state.chain,
    ...(isWhole
      ? {
          index_count: sets.index.size,
          pool_count: sets.pool.size,
          active_count: sets.active.size,
          pinned_count: sets.pinned.size,
        }
      : {}),
  };
  const ofChat = {
    chain: state.chain,
    step_count: state.depth,
    head: headText(state.head),
    ...(isWhole ? { turn_count: state.turn + 1, toolcall_count: state.toolcallCount } : {}),
  };
  yield* differing(session, ofSession);
  yield* differing({ ...chat, head: headText(chat.head) }, ofChat);
}

/** A store may give an object's members back in another order. */
const headText = (head: StepAddress | null): string => (head === null ? "none" : `${head.session}@${head.n}`);

function* differing(
  document: { readonly "xt/id": string; readonly type: string; readonly [field: string]: unknown },
  expected: Readonly<Record<string, string | number>>,
): Generator<Finding> {
  const wrong = Object.entries(expected).flatMap(([field, value]) => (document[field] === value ? [] : [field]));
  if (wrong.length === 0) return;
  const { "xt/id": id, type } = document;
  yield { id, type, problem: "head", detail: `not what the steps make: ${wrong.join(", ")}` };
}

/** Steps are numbered without a gap, and none is beyond the head's number. */
async function* checkNumbers(
  store: ObjectStore,
  session: string,
  { session: { "xt/id": id, type, next_step } }: SessionHeads,
): AsyncGenerator<Finding> {
  for (let first = 0; first <= next_step; first += limits.referencesPerRead) {
    const count = Math.min(limits.referencesPerRead, next_step + 1 - first);
    const numbers = Array.from({ length: count }, (_, place) => first + place);
    const found = await store.getMany(numbers.map((n) => stepId({ session, n })));
    for (const n of numbers) {
      const isThere = found.has(stepId({ session, n }));
      if (isThere === n < next_step) continue;
      const detail = isThere ? `step ${n} is beyond the head` : `step ${n} is not there`;
      yield { id, type, problem: isThere ? "head" : "missing", detail };
    }
  }
}

/**
 * Steps that are not on the way to the head: of other writers, and those that the session went back from. Each was the
 * newest once, and the head's version of that moment vouches for it and all before it. Of a branch that does not hold,
 * the first step that differs is named. A session from a bundle has no such versions: nothing vouches for them there.
 * @param chains of the steps on the way to the head, by their ids
 */
async function* checkLeftSteps(
  store: ObjectStore,
  session: string,
  { heads, chains }: { readonly heads: SessionHeads; readonly chains: ReadonlyMap<string, string> },
): AsyncGenerator<Finding> {
  const numbers = Array.from({ length: heads.session.next_step }, (_, n) => n);
  const left = numbers.filter((n) => !chains.has(stepId({ session, n })));
  if (left.length === 0) return;
  const known = new Map([...(await inheritedChains(store, session, heads)), ...chains]);
  const vouched = await vouchedChains(store, session);
  const steps = await readInParts(
    store,
    left.map((n) => stepId({ session, n })),
  );
  for (const n of left) {
    const id = stepId({ session, n });
    const step = steps.get(id);
    // What is missing is named by its number.
    if (step === undefined) continue;
    const { document } = step;
    const { contentHash } = await asWritten(store, step);
    const said = vouched.get(id);
    const before = isDocumentOf(document, "step") ? chainBefore(document.parent, known, session) : undefined;
    const chain = before === undefined ? said : nextChain(before, contentHash);
    // What comes after it is held against what was vouched for, so that one fault has one finding.
    const holds = said ?? chain;
    if (holds !== undefined) known.set(id, holds);
    if (said !== undefined && chain !== said)
      yield { id, type: "step", problem: "head", detail: "not what the head vouched for when it was the newest step" };
  }
}

function chainBefore(
  parent: StepAddress | null,
  known: ReadonlyMap<string, string>,
  session: string,
): string | undefined {
  return parent === null ? firstChain(session) : known.get(stepId(parent));
}

/** The chain after each step that the session inherited by a fork. */
async function inheritedChains(
  store: ObjectStore,
  session: string,
  { session: { forked_from: forkedFrom } }: SessionHeads,
): Promise<ReadonlyMap<string, string>> {
  const chains = new Map<string, string>();
  let chain = firstChain(session);
  for (const { address, contentHash } of await readPath(store, forkedFrom ?? null)) {
    chain = nextChain(chain, contentHash);
    chains.set(stepId(address), chain);
  }
  return chains;
}

/** What the head said of each step when that was the newest one, by the step's id. */
async function vouchedChains(store: ObjectStore, session: string): Promise<ReadonlyMap<string, string>> {
  const chains = new Map<string, string>();
  // What a session says when it goes back to a step does not count, but what it said first.
  for await (const { head, chain } of headVersions(store, session)) if (head !== null) chains.set(stepId(head), chain);
  return chains;
}
