import { plainCharsOf } from "@cm/context-log";
import {
  ContextLog,
  entryOf,
  OpenCalls,
  type ShownMessages,
  shownMessages,
  splitAtAnswer,
} from "@cm/context-log/state";
import { type DocumentOf, isDocumentOf, type ObjectStore, type StepAddress, toolcallsIn } from "@cm/object-model";
import { readKeyframeRest } from "../keyframe/keyframe-state.ts";
import { limits } from "../limits.ts";
import { readInParts } from "../path/read-in-parts.ts";
import { type PathStep, readPathBack } from "../path/read-path.ts";
import { loadPath } from "../state/load-state.ts";
import { type KeyframeStep, listedRequests } from "./listed-requests.ts";
import { type KnownRequest, requestOf } from "./request-summary.ts";

/** A request of a path with its place there, and how long the plain log was at it; undefined for an erased step. */
export interface CountedRequest extends KnownRequest {
  readonly n: number;
  readonly plainChars: number | undefined;
}

/** A place on a path, and the length of the plain log after the step there. */
interface Count {
  readonly n: number;
  readonly plainChars: number;
}

/** What one step adds to the plain log: before its request, and with its answer and results. */
interface Added {
  readonly before: number;
  readonly after: number;
}

/**
 * The requests of the steps that lead to one, the newest first, read as far as the caller iterates. Behind the newest ones,
 * keyframes list most of them; a stretch that none lists, or of which something was erased, is read from its steps.
 * @throws CmError `session/damaged`, or what the store throws
 */
export async function* plainLogBack(store: ObjectStore, to: StepAddress): AsyncGenerator<CountedRequest> {
  for (let next: StepAddress | null = to; next !== null; ) {
    const read: ReadBack | undefined = yield* stepsBack(store, next);
    next = read === undefined ? null : yield* listedBefore(store, read);
  }
}

/** How far steps were read, and the lowest of them that has a keyframe. */
interface ReadBack {
  readonly keyframe: KeyframeStep;
  readonly from: number;
}

async function* listedBefore(
  store: ObjectStore,
  { keyframe, from }: ReadBack,
): AsyncGenerator<CountedRequest, StepAddress | null> {
  const listed = listedRequests(store, keyframe);
  for (;;) {
    const { done, value } = await listed.next();
    if (done === true) return value;
    // Those from the keyframe down to where the steps end were read with them.
    if (value.n < from) yield value;
  }
}

/**
 * The newest keyframe says how long the log was; from there each step adds or takes what its own messages have. Where that
 * is not all, because messages were changed or erased, the rest is counted from the first step on.
 */
async function* stepsBack(store: ObjectStore, to: StepAddress): AsyncGenerator<CountedRequest, ReadBack | undefined> {
  const { newest, base, rest } = await backToKeyframe(store, to);
  const added = await addedBy(store, newest);
  let count: Count | undefined;
  if (added !== undefined) {
    const since = added.slice(0, base === undefined ? added.length : -1);
    const chars = since.reduce((sum, { before, after }) => sum + before + after, base?.plainChars ?? 0);
    count = { n: (base?.n ?? -1) + since.length, plainChars: chars };
  }
  let read = 0;
  // As many as were read along with the newest, then more at once.
  let pageSteps = Math.max(1, limits.stepsToKeyframe - newest.length);
  for (let page = newest; page.length > 0; page = await nextPage(rest, pageSteps)) {
    if (page !== newest) pageSteps = Math.min(limits.requestsPerRead, Math.max(limits.stepsToKeyframe, pageSteps) * 2);
    const own = page === newest ? added : await addedBy(store, page);
    if (own === undefined || count === undefined) {
      yield* fromFirst(store, to, page, rest);
      return undefined;
    }
    let keyframe: KeyframeStep | undefined;
    for (const [place, step] of page.entries()) {
      const { before, after } = own[place] ?? { before: 0, after: 0 };
      const plainChars: number = count.plainChars - after;
      yield { ...requestOf(step), n: count.n, plainChars };
      keyframe = keyframeStep(step, count.n) ?? keyframe;
      read += 1;
      count = { n: count.n - 1, plainChars: plainChars - before };
    }
    // Whether steps are what they were is asked of the store for a whole session: too much for the newest ones alone.
    if (keyframe !== undefined && read >= limits.requestsFromStepsMin) return { keyframe, from: count.n + 1 };
  }
  return undefined;
}

const keyframeStep = ({ address, contentHash, document }: PathStep, n: number): KeyframeStep | undefined =>
  document?.keyframe === undefined ? undefined : { address, n, contentHash, keyframe: document.keyframe };

/** The steps from the newest down to one whose keyframe says how long the log was; all of them where none does. */
async function backToKeyframe(store: ObjectStore, to: StepAddress) {
  const rest = readPathBack(store, to, limits.stepsToKeyframe, limits.requestsPerRead);
  const newest: PathStep[] = [];
  let tried = 0;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const step = next.value;
    newest.push(step);
    const hash = step.document?.keyframe;
    if (hash === undefined || tried >= limits.keyframesTriedMax) continue;
    tried += 1;
    const flat = await readKeyframeRest(store, step.address, hash);
    if (flat !== undefined) return { newest, rest, base: { n: flat.depth - 1, plainChars: flat.plainChars } };
  }
  return { newest, rest, base: undefined };
}

async function nextPage(steps: AsyncGenerator<PathStep>, count: number): Promise<PathStep[]> {
  const page: PathStep[] = [];
  while (page.length < count) {
    const { done, value } = await steps.next();
    if (done === true) break;
    page.push(value);
  }
  return page;
}

/** Undefined where steps alone do not say it. */
async function addedBy(store: ObjectStore, page: readonly PathStep[]): Promise<readonly Added[] | undefined> {
  const documents = page.flatMap(({ document }) => document ?? []);
  const isWhole = documents.every(({ amended, replaces }) => amended === undefined && replaces === undefined);
  if (documents.length < page.length || !isWhole) return undefined;
  const ids = [...new Set(documents.flatMap(({ messages }) => toolcallsIn(messages)))];
  const found = await readInParts(store, ids);
  const toolcalls = new Map<string, DocumentOf<"toolcall">>();
  for (const id of ids) {
    const document = found.get(id)?.document;
    if (document === undefined || !isDocumentOf(document, "toolcall")) return undefined;
    toolcalls.set(id, document);
  }
  const open = new OpenCalls();
  const charsOf = (messages: ShownMessages): number =>
    messages.reduce(
      (sum, { message }) =>
        sum + plainCharsOf(entryOf(message, { at: 0, step: 0, turn: 0 }, (id) => toolcalls.get(id), open)),
      0,
    );
  return documents.map((document) => {
    const { before, after } = splitAtAnswer(shownMessages(document));
    return { before: charsOf(before), after: charsOf(after) };
  });
}

/** The steps that are left, counted as an open session counts. */
async function* fromFirst(
  store: ObjectStore,
  to: StepAddress,
  page: readonly PathStep[],
  rest: AsyncGenerator<PathStep>,
): AsyncGenerator<CountedRequest> {
  const newest = page[0]?.address ?? to;
  const counts = await countsTo(store, newest);
  let n = counts.length - 1;
  for (const step of page) {
    yield { ...requestOf(step), n, plainChars: counts[n] };
    n -= 1;
  }
  for await (const step of rest) {
    yield { ...requestOf(step), n, plainChars: counts[n] };
    n -= 1;
  }
}

async function countsTo(store: ObjectStore, to: StepAddress): Promise<readonly (number | undefined)[]> {
  const { steps, objects } = await loadPath(store, to, { rendered: 0 });
  const log = new ContextLog(to.session, 0);
  return steps.map(({ address, contentHash, document }) => {
    if (document === undefined) {
      log.apply({ event: "erased", address, contentHash });
      return undefined;
    }
    log.apply({ event: "requested", step: document, objects });
    const { plainChars } = log.state;
    log.apply({ event: "finished", step: document, objects, prices: { read: 0, write: 0 } });
    return plainChars;
  });
}
