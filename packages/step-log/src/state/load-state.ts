import type { ContextView, Prices, PromptDecision, RenderedPrompt } from "@cm/context-log";
import {
  asRecorded,
  baseAfterErasure,
  ContextLog,
  type KeyframeBase,
  keyframeBase,
  knownDecision,
  type StepObjects,
  viewOf,
} from "@cm/context-log/state";
import type { Basis, ObjectStore, StepAddress } from "@cm/object-model";
import { KeyframeReader, type NamedKeyframe, type ReadKeyframe, readStanding } from "../keyframe/keyframe-state.ts";
import { limits } from "../limits.ts";
import { type PathStep, readPath, readPathBack } from "../path/read-path.ts";
import { readStepObjects } from "../path/step-objects.ts";
import type { Moment } from "../path/system-prompts.ts";
import { type RestoredState, type RestoreOptions, restoreState } from "./restore-state.ts";

/** A path of steps with the objects that they refer to: all of it, or what comes after a state that a keyframe holds. */
export interface LoadedPath {
  readonly steps: readonly PathStep[];
  readonly objects: StepObjects;
  /** The state before these steps; undefined where they begin with the first. */
  readonly from?: ContextLog;
  /** The newest keyframe on the path that is sound: what the next one builds on. */
  readonly base?: KeyframeBase | undefined;
  /** `standing`: of what left the prompt before these steps the state has only what a layout says of it. */
  readonly known?: "standing";
}

export interface LoadSettings {
  readonly prices: Prices;
  readonly headChars: number;
  /** The request of a step, rendered again; undefined where it cannot be. */
  readonly render: (request: RecordedRequest) => Promise<RenderedPrompt | undefined>;
}

export interface RecordedRequest {
  readonly layout: string;
  readonly session: string;
  /** The transaction that wrote its step. */
  readonly written: Moment;
  readonly view: ContextView;
  readonly decision: PromptDecision;
}

/** How many requests at the end of a path are rendered to know what the newest one kept of the one before it. */
export const renderedAtEnd = 2;

export interface LoadOptions {
  /** How many requests at the end will be rendered: what those before them showed is not read. Default: two. */
  readonly rendered?: number;
  /** Where objects are looked for first, such as the transaction of the heads; by default now. */
  readonly at?: Basis;
}

/** @throws CmError `session/damaged` */
export async function loadPath(
  store: ObjectStore,
  to: StepAddress | null,
  { rendered = renderedAtEnd, at }: LoadOptions = {},
): Promise<LoadedPath> {
  return withObjects(store, await readPath(store, to), { rendered, at });
}

export interface RecentOptions extends LoadOptions, RestoreOptions {
  /** A request is rendered, and nothing else is asked: a keyframe that says what stands is enough, without those before. */
  readonly standing?: boolean;
}

/**
 * As `loadPath`, from the newest keyframe on after which enough steps come, so that a long session is read as fast as a
 * short one. A keyframe that does not fit what the store has is passed over: then an older one holds, or the first step.
 * @throws CmError `session/damaged`
 */
export async function loadRecent(
  store: ObjectStore,
  to: StepAddress | null,
  { rendered = renderedAtEnd, at, standing = false, ...settings }: RecentOptions,
): Promise<LoadedPath> {
  const steps: PathStep[] = [];
  const keyframes = new KeyframeReader(store);
  const passed: NamedKeyframe[] = [];
  let base: KeyframeBase | undefined;
  let tried = 0;
  for await (const step of readPathBack(store, to, limits.stepsToKeyframe)) {
    const { keyframe: hash, standing: standingHash } = step.document ?? {};
    if (hash !== undefined && tried < limits.keyframesTriedMax) {
      tried += 1;
      // The newest requests are rendered again, which takes the states before them.
      const isEnough =
        rendered === 0 || (steps.length >= rendered && steps.some(({ document }) => document !== undefined));
      const flat =
        standing && isEnough
          ? await readStanding(store, step.address, { keyframe: hash, standing: standingHash })
          : undefined;
      const stands = flat && (await restoreState(store, { flat }, { ...settings, step }));
      if (stands !== undefined)
        return { ...(await after(store, stands, { steps: steps.reverse(), rendered, at })), known: "standing" };
      const named = { address: step.address, contentHash: hash };
      if (!isEnough) {
        if (!standing) passed.push(named);
        steps.push(step);
        continue;
      }
      await keyframes.fetch([...passed, named].map(({ address }) => address));
      const keyframe = await keyframes.read(named);
      base ??= await baseOf(keyframes, passed, keyframe);
      const restored = keyframe && (await restoreState(store, keyframe, { ...settings, step }));
      if (restored !== undefined)
        return { ...(await after(store, restored, { steps: steps.reverse(), rendered, at })), base };
      if (keyframe !== undefined) base = base && baseAfterErasure(base);
    }
    steps.push(step);
  }
  base ??= await baseOf(keyframes, passed);
  return { ...(await withObjects(store, steps.reverse(), { rendered, at })), base };
}

/**
 * What the next keyframe builds on: the newest one that is sound. Where it was passed over, because too few steps come after
 * it, it is read on top of the older one.
 */
async function baseOf(
  keyframes: KeyframeReader,
  passed: readonly NamedKeyframe[],
  older?: ReadKeyframe,
): Promise<KeyframeBase | undefined> {
  for (const named of passed) {
    const newer = await keyframes.read(named, older);
    if (newer !== undefined) return keyframeBase(newer, newer.contentHash);
  }
  return older && keyframeBase(older, older.contentHash);
}

async function withObjects(
  store: ObjectStore,
  steps: readonly PathStep[],
  { rendered, at }: { readonly rendered: number; readonly at: Basis | undefined },
): Promise<LoadedPath> {
  const renderedFrom = Math.max(0, steps.length - rendered);
  return { steps, objects: await readStepObjects(store, steps, { renderedFrom, at }) };
}

async function after(
  store: ObjectStore,
  { log, file }: RestoredState,
  { steps, ...options }: Pick<LoadedPath, "steps"> & { readonly rendered: number; readonly at: Basis | undefined },
): Promise<LoadedPath> {
  const { objects } = await withObjects(store, steps, options);
  return {
    steps,
    objects: { ...objects, file: (id, hash) => objects.file(id, hash) ?? file(id, hash) },
    from: log,
  };
}

/** The log of a session after the last step of a path, as it was in the session that wrote it. */
export async function logAfter(
  { steps, objects, from, base }: LoadedPath,
  session: string,
  { prices, headChars, render }: LoadSettings,
): Promise<ContextLog> {
  const log = from ?? new ContextLog(session, headChars);
  for (const [place, { document, address, contentHash, ...written }] of steps.entries()) {
    if (document === undefined) {
      log.apply({ event: "erased", address, contentHash });
      continue;
    }
    log.apply({ event: "requested", step: document, objects });
    // The newest request, and for what it kept the one before it.
    if (place >= steps.length - renderedAtEnd) {
      const decision = knownDecision(log.state, document);
      const view = { ...viewOf(log.state, "warm"), session: document.requested_in ?? address.session };
      const sent = await render({ layout: document.layout, session: address.session, written, view, decision });
      log.apply({ event: "sent", prompt: sent === undefined ? undefined : asRecorded(sent, document) });
    }
    log.apply({ event: "finished", step: document, objects, prices });
  }
  log.apply({ event: "keyframe", base });
  return log;
}
