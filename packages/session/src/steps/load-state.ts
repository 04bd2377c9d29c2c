import type {
  Basis,
  ContextView,
  ObjectStore,
  Prices,
  PromptDecision,
  RenderedPrompt,
  StepAddress,
} from "@cm/object-model";
import { asRecorded } from "../prompt/marked-prompt.ts";
import { admitRecorded, finish, passErased, type StepObjects } from "../state/advance.ts";
import { knownDecision } from "../state/known-decision.ts";
import { emptyState, type SessionState, viewOf } from "../state/session-state.ts";
import { type PathStep, readPath } from "./read-path.ts";
import { readStepObjects } from "./step-objects.ts";
import type { Moment } from "./system-prompts.ts";

/** A path of steps with the objects that they refer to. */
export interface LoadedPath {
  readonly steps: readonly PathStep[];
  readonly objects: StepObjects;
}

export interface LoadSettings {
  readonly prices: Prices;
  readonly headChars: number;
  /** The request of a step, rendered again; undefined where nobody can. */
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
  const steps = await readPath(store, to);
  const renderedFrom = Math.max(0, steps.length - rendered);
  return { steps, objects: await readStepObjects(store, steps, { renderedFrom, at }) };
}

/** The state of a session after the last step of a path, as it was in the session that wrote it. */
export async function stateAfter(
  { steps, objects }: LoadedPath,
  session: string,
  { prices, headChars, render }: LoadSettings,
): Promise<SessionState> {
  const state = emptyState(session, headChars);
  for (const [place, { document, address, contentHash, ...written }] of steps.entries()) {
    if (document === undefined) {
      passErased(state, address, contentHash);
      continue;
    }
    admitRecorded(state, document, objects);
    // The newest request, and for what it kept the one before it.
    if (place >= steps.length - renderedAtEnd) {
      const decision = knownDecision(state, document);
      const view = viewOf(state, "warm");
      const sent = await render({ layout: document.layout, session: address.session, written, view, decision });
      state.sent = sent === undefined ? undefined : asRecorded(sent, document);
    }
    finish(state, document, objects, prices);
  }
  return state;
}
