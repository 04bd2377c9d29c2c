import type { LogState } from "@cm/context-log/state";
import { type ObjectStore, type StepAddress, stepId } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import { asWritten } from "./as-written.ts";
import { loadRecent, logAfter } from "./load-state.ts";
import { type Moment, readSystemPrompt, type SystemPromptText } from "./system-prompts.ts";

/** What a session knew after one of its steps. */
export interface StateAtStep {
  readonly state: LogState;
  /** The prompt that the step's request was made with; undefined where it was erased. */
  readonly systemPrompt: SystemPromptText;
  /** The transaction that wrote the step. */
  readonly written: Moment;
}

/**
 * The state after a step, by the path that leads to it, also through a branch or another session.
 * @param session whose hash chain the state's is; by default that of the step's own session
 * @throws CmError `session/not-found` where there is no such step, `session/damaged`
 */
export async function stateAt(store: ObjectStore, at: StepAddress, session = at.session): Promise<StateAtStep> {
  const isNumber = Number.isSafeInteger(at.n) && at.n >= 0;
  const step = isNumber ? (await store.getMany([stepId(at)])).get(stepId(at)) : undefined;
  if (step === undefined) {
    const data = { session: at.session, n: at.n };
    throw sessionError("session/not-found", `The session ${at.session} has no step ${at.n}.`, data);
  }
  const written = await asWritten(store, step);
  const systemPrompt = await readSystemPrompt(store, at.session, written.basis);
  const path = await loadRecent(store, at, { ...withoutPrompts, session, rendered: 0, at: written.basis });
  const { state } = await logAfter(path, session, withoutPrompts);
  return { state, systemPrompt, written };
}

/** Prices and rendered prompts play no part in what a session knows. */
const withoutPrompts = { prices: { read: 0, write: 0 }, headChars: 0, render: async () => undefined };
