import type { LeveledObject } from "@cm/context-log";
import {
  type ChatView,
  chatView,
  type LogState,
  leveledObjects,
  type SessionView,
  sessionView,
} from "@cm/context-log/state";
import {
  everyDocument,
  type ListedVersion,
  type ObjectStore,
  type StepAddress,
  type StoredVersion,
  systemPromptId,
} from "@cm/object-model";
import { checkObject } from "../check-input.ts";
import { readNamedStep } from "../path/read-named.ts";
import { asWritten } from "../path/read-path.ts";
import { isPromptLost, type Moment, readSystemPrompt, type SystemPromptText } from "../path/system-prompts.ts";
import { loadRecent, logAfter } from "../state/load-state.ts";

/** What a session knew after one of its steps. */
export interface StateAtStep {
  readonly state: LogState;
  /** The prompt that the step's request was made with; undefined where it was erased, or lost. */
  readonly systemPrompt: SystemPromptText;
  /** The transaction that wrote the step. */
  readonly written: Moment;
}

/**
 * The state after a step, by the path that leads to it, also through a branch or another session.
 * @param session whose hash chain the state's is; by default that of the step's own session
 * @throws CmError `session/not-found` where there is no such step, `session/damaged`
 */
export async function stateAt(store: ObjectStore, at: StepAddress, session?: string): Promise<StateAtStep> {
  const step = await readNamedStep(store, at);
  const whose = session ?? at.session;
  const written = await asWritten(store, step);
  const systemPrompt = await readSystemPrompt(store, at.session, written.basis);
  const path = await loadRecent(store, at, { ...withoutPrompts, session: whose, rendered: 0, at: written.basis });
  const { state } = await logAfter(path, whose, withoutPrompts);
  return { state, systemPrompt, written };
}

/** Prices and rendered prompts play no part in what a session knows. */
const withoutPrompts = { prices: { read: 0, write: 0 }, headChars: 0, render: async () => undefined };

/**
 * The version of an object that a session had in sight after a step: the one it had observed, whichever session wrote others
 * meanwhile. A tool call has only one. Undefined: the session had not met the object.
 * @param idOrAlias the object's id, or its alias in the session
 * @throws CmError `session/not-found` where there is no such step, `session/damaged`, or what the store throws
 */
export async function objectAt(
  store: ObjectStore,
  address: StepAddress,
  idOrAlias: string,
): Promise<StoredVersion | undefined> {
  checkObject(idOrAlias);
  const { state, written } = await stateAt(store, address);
  const id = state.aliases.resolve(idOrAlias);
  if (!state.sets.index.has(id)) return undefined;
  const holding = (await store.getMany([id], written.basis)).get(id);
  const contentHash = state.inSight.get(id)?.contentHash;
  if (contentHash === undefined || holding?.contentHash === contentHash) return holding;
  return versionWith(store, { id, contentHash, until: written.transactionTime });
}

/**
 * The newest version with a content hash that was stored by a moment; a content may have come back later. Where the
 * clock of the store was set back meanwhile, the newest of all.
 */
async function versionWith(
  store: ObjectStore,
  { id, contentHash, until }: { readonly id: string; readonly contentHash: string; readonly until: Date },
): Promise<StoredVersion | undefined> {
  let newest: StoredVersion | undefined;
  for await (const version of everyDocument((page) => store.history(id, page))) {
    if (version.contentHash !== contentHash) continue;
    const found = storedVersion(version);
    if (version.transactionTime <= until) return found;
    newest ??= found;
  }
  return newest;
}

function storedVersion({ document, erased, ...stamp }: ListedVersion): StoredVersion | undefined {
  if (document !== undefined) return { ...stamp, document };
  return erased === undefined ? undefined : { ...stamp, erased };
}

/** A session as it was after one of its steps. Plain data. */
export interface PastSession {
  readonly address: StepAddress;
  readonly wrapper: SessionView;
  readonly chat: ChatView;
  /** Everything the session had met, in that order, in the versions that it had in sight. */
  readonly objects: readonly LeveledObject[];
  /** As the step's request had it; undefined where it was erased, or lost. */
  readonly systemPrompt: string | undefined;
  /** False where something on the way there is gone: marks stand in its place. */
  readonly complete: boolean;
  /** Objects that the store does not have, though nothing says that they were erased: it is damaged. */
  readonly missing: readonly string[];
}

/**
 * The whole session as of a step, from the store alone: what the open session itself had when the step was recorded.
 * The step may lie on any branch, or be one that a fork continued.
 * @throws CmError `session/not-found` where there is no such step, `session/damaged`, or what the store throws
 */
export async function sessionAt(store: ObjectStore, address: StepAddress): Promise<PastSession> {
  const { state, systemPrompt, written } = await stateAt(store, address);
  const isLost = systemPrompt === undefined && (await isPromptLost(store, address.session, written.basis));
  return {
    address: { session: address.session, n: address.n },
    wrapper: sessionView(state),
    chat: chatView(state),
    objects: leveledObjects(state),
    systemPrompt,
    complete: state.complete && systemPrompt !== undefined,
    missing: [...state.missing, ...(isLost ? [systemPromptId(address.session)] : [])],
  };
}
