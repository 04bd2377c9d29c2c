import type { Basis, ObjectStore, RebuiltPrompt, Renderer, StepAddress } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import { admitRecorded, finish, passErased } from "../state/advance.ts";
import { knownDecision } from "../state/known-decision.ts";
import { emptyState, viewOf } from "../state/session-state.ts";
import { erasedMark } from "../state/view-objects.ts";
import { loadPath, loadRecent, renderedAtEnd } from "../steps/load-state.ts";
import { type PathStep, readHeads, type SessionHeads } from "../steps/read-path.ts";
import { SystemPrompts } from "../steps/system-prompts.ts";
import { rendered } from "./made-request.ts";
import { asRecorded } from "./marked-prompt.ts";
import { PromptHasher } from "./prompt-hash.ts";

/** The renderer of a layout by its recorded name; undefined where the app has none. */
export type RendererFor = (layout: string) => Renderer | undefined;

/** Prices play no part in what a recorded decision renders. */
const noPrices = { read: 0, write: 0 };

/**
 * Every request of a session, from the first to the newest, rebuilt from the store. Nothing but the store is asked: no
 * source, no policy, no clock. An erased step gives what is known of its request; its recorded hash is empty.
 * @throws CmError `session/not-found`, `session/damaged`, `session/unknown-layout`
 */
export async function* rebuildPrompts(
  store: ObjectStore,
  session: string,
  rendererFor: RendererFor,
): AsyncGenerator<RebuiltPrompt & StepAddress> {
  const heads = await readHeads(store, session);
  if (heads === undefined)
    throw sessionError("session/not-found", `There is no session ${session} in this store.`, { session });
  const { session: head, basis } = heads;
  if (head.head !== null) yield* rebuildPath(store, head.head, { rendererFor, basis });
}

/** One past request. @throws CmError `session/not-found` where there is no such step; else as `rebuildPrompts` */
export async function rebuildPrompt(
  store: ObjectStore,
  at: StepAddress,
  rendererFor: RendererFor,
): Promise<RebuiltPrompt> {
  const heads = await headsOver(store, at);
  if (heads !== undefined) {
    for await (const rebuilt of rebuildPath(store, at, { rendererFor, basis: heads.basis, lastOnly: true })) {
      const { prompt, hash, recordedHash, complete, missing } = rebuilt;
      return { prompt, hash, recordedHash, complete, missing };
    }
  }
  const { session, n } = at;
  throw sessionError("session/not-found", `The session ${session} has no step ${n}.`, { session, n });
}

/** The heads of a session that has such a step. */
async function headsOver(store: ObjectStore, { session, n }: StepAddress): Promise<SessionHeads | undefined> {
  const heads = Number.isSafeInteger(n) && n >= 0 ? await readHeads(store, session) : undefined;
  return heads !== undefined && n < heads.session.next_step ? heads : undefined;
}

interface RebuildOptions {
  readonly rendererFor: RendererFor;
  /** The transaction of the heads. */
  readonly basis: Basis;
  readonly lastOnly?: boolean;
}

/** The requests on the path to a step, in order. */
async function* rebuildPath(
  store: ObjectStore,
  to: StepAddress,
  { rendererFor, basis: at, lastOnly = false }: RebuildOptions,
): AsyncGenerator<RebuiltPrompt & StepAddress> {
  const renderedMax = lastOnly ? renderedAtEnd : Number.POSITIVE_INFINITY;
  const { session } = to;
  const { steps, objects, from } = lastOnly
    ? await loadRecent(store, to, { session, prices: noPrices, headChars: 0, rendered: renderedMax, at })
    : await loadPath(store, to, { rendered: renderedMax, at });
  const systemPrompts = new SystemPrompts(store, at);
  const state = from ?? emptyState(session, 0);
  const hasher = new PromptHasher();
  for (const [place, { address, contentHash, document, ...written }] of steps.entries()) {
    if (document === undefined) passErased(state, address, contentHash);
    else admitRecorded(state, document, objects);
    // The request before tells how much of the last one was kept.
    if (!lastOnly || place >= steps.length - renderedAtEnd) {
      const systemPrompt = await systemPrompts.at(address.session, written);
      state.systemPrompt = systemPrompt ?? erasedMark;
      const decision = document === undefined ? {} : knownDecision(state, document);
      const isWanted = !lastOnly || place === steps.length - 1;
      const layout = layoutOf(steps, place);
      const renderer = layout === undefined ? undefined : rendererFor(layout);
      if (isWanted && renderer === undefined) throw unknownLayout(layout);
      // A fork's path begins in another session: its requests were that session's.
      const view = { ...viewOf(state, "warm"), session: address.session };
      const { sent } = state;
      state.sent = renderer === undefined ? undefined : asRecorded(rendered(renderer, view, decision), document);
      const complete = state.complete && systemPrompt !== undefined;
      const recordedHash = document?.prompt_hash ?? "";
      if (isWanted && state.sent !== undefined)
        yield {
          ...address,
          prompt: state.sent,
          hash: hasher.hash(state.sent, sent),
          recordedHash,
          complete,
          missing: [...state.missing],
        };
    }
    if (document !== undefined) finish(state, document, objects, noPrices);
  }
}

/** Of an erased step nobody knows the layout: sessions seldom change theirs, so it is that of the nearest one. */
function layoutOf(steps: readonly PathStep[], place: number): string | undefined {
  const known = steps.slice(0, place + 1).findLast(({ document }) => document !== undefined);
  return (known ?? steps.find(({ document }) => document !== undefined))?.document?.layout;
}

function unknownLayout(layout: string | undefined) {
  return sessionError(
    "session/unknown-layout",
    layout === undefined
      ? "The steps up to this one were erased, and nothing tells their layout."
      : `No renderer for layout ${layout} was handed in; add it.`,
  );
}
