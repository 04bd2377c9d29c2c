import type { LeveledObject } from "@cm/context-log";
import { type ChatView, chatView, leveledObjects, type SessionView, sessionView } from "@cm/context-log/state";
import type { ObjectStore, StepAddress } from "@cm/object-model";
import { stateAt } from "./state-at.ts";

/** A session as it was after one of its steps. Plain data. */
export interface PastSession {
  readonly address: StepAddress;
  readonly wrapper: SessionView;
  readonly chat: ChatView;
  /** Everything the session had met, in that order, in the versions that it had in sight. */
  readonly objects: readonly LeveledObject[];
  /** As the step's request had it; undefined where it was erased. */
  readonly systemPrompt: string | undefined;
  /** False where something on the way there was erased: marks stand in its place. */
  readonly complete: boolean;
}

/**
 * The whole session as of a step, from the store alone: what the open session itself had when the step was recorded.
 * The step may lie on any branch, or be one that a fork continued.
 * @throws CmError `session/not-found` where there is no such step, `session/damaged`, or what the store throws
 */
export async function sessionAt(store: ObjectStore, address: StepAddress): Promise<PastSession> {
  const { state, systemPrompt } = await stateAt(store, address);
  return {
    address: { session: address.session, n: address.n },
    wrapper: sessionView(state),
    chat: chatView(state),
    objects: leveledObjects(state),
    systemPrompt,
    complete: state.complete && systemPrompt !== undefined,
  };
}
