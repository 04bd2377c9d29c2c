import type { Prices, RebuiltPrompt, RenderedPrompt, Renderer } from "@cm/context-log";
import {
  asRecorded,
  billed,
  ContextLog,
  erasedMark,
  knownDecision,
  type LogState,
  missingMark,
  PromptHasher,
  rendered,
  viewOf,
} from "@cm/context-log/state";
import { type Basis, type DocumentOf, type ObjectStore, type StepAddress, systemPromptId } from "@cm/object-model";
import { checkStep, isStepNumber } from "../check-input.ts";
import { noStep, stepLogError } from "../errors.ts";
import { readNamedHeads } from "../path/read-named.ts";
import { type PathStep, readHeads, type SessionHeads } from "../path/read-path.ts";
import { isPromptLost, SystemPrompts } from "../path/system-prompts.ts";
import { type LoadedPath, loadPath, loadRecent, renderedAtEnd } from "../state/load-state.ts";

/** The renderer of a layout by its recorded name; undefined where the app has none. */
export type RendererFor = (layout: string) => Renderer | undefined;

/** Prices play no part in what a recorded decision renders. */
const noPrices = { read: 0, write: 0 };

/**
 * Every request of a session, from the first to the newest, rebuilt from the store. Nothing but the store is asked: no
 * source, no policy, no clock. An erased step gives the facts of its request that remain; its recorded hash is empty.
 * @throws CmError `session/not-found`, `session/damaged`, `session/unknown-layout`
 */
export async function* rebuildPrompts(
  store: ObjectStore,
  session: string,
  rendererFor: RendererFor,
): AsyncGenerator<RebuiltPrompt & StepAddress> {
  const { session: head, basis } = await readNamedHeads(store, session);
  if (head.head === null) return;
  for await (const { step, layout, rebuilt } of rebuildPath(store, head.head, { rendererFor, basis })) {
    if (rebuilt === undefined) throw unknownLayout(layout);
    yield { ...step.address, ...rebuilt };
  }
}

/** One past request. @throws CmError `session/not-found` where there is no such step; else as `rebuildPrompts` */
export async function rebuildPrompt(
  store: ObjectStore,
  at: StepAddress,
  rendererFor: RendererFor,
): Promise<RebuiltPrompt> {
  checkStep(at);
  const heads = await headsOver(store, at);
  if (heads !== undefined) {
    for (const standing of [true, false]) {
      const options = { rendererFor, basis: heads.basis, last: 1, standing };
      for await (const { layout, rebuilt, known } of rebuildPath(store, at, options)) {
        // What was recorded vouches for it; else what left the prompt had a part in it.
        if (known === "standing" && !isAsRecorded(rebuilt)) break;
        if (rebuilt === undefined) throw unknownLayout(layout);
        return rebuilt;
      }
    }
  }
  throw noStep(at);
}

const isAsRecorded = (rebuilt: RebuiltPrompt | undefined): boolean =>
  rebuilt !== undefined && rebuilt.hash === rebuilt.recordedHash && rebuilt.complete && rebuilt.missing.length === 0;

/** The heads of a session that has such a step. */
async function headsOver(store: ObjectStore, { session, n }: StepAddress): Promise<SessionHeads | undefined> {
  const heads = isStepNumber(n) ? await readHeads(store, session) : undefined;
  return heads !== undefined && n < heads.session.next_step ? heads : undefined;
}

export interface RebuildOptions {
  readonly rendererFor: RendererFor;
  /** The transaction of the heads. */
  readonly basis: Basis;
  /** How many of the newest requests are wanted. Default: all. */
  readonly last?: number;
  /** Whether a keyframe that only says what stands is enough, see `RebuiltStep.known`. Default: false. */
  readonly standing?: boolean;
  /** What the bills are at, which play no part in what is rendered. */
  readonly prices?: Pick<Prices, "read" | "write">;
}

/** A step of a path with its request. */
export interface RebuiltStep {
  readonly step: PathStep;
  /** Undefined: it was erased, and nothing tells its layout. */
  readonly layout: string | undefined;
  /** Undefined where there is no renderer for the layout. */
  readonly rebuilt: RebuiltPrompt | undefined;
  /** `standing`: made without what had left the prompt, as `RebuildOptions.standing` allows. */
  readonly known: LoadedPath["known"];
  /** Undefined for an erased step. */
  readonly bill: RequestBill | undefined;
}

/** What a request cost, and the plain one: input in characters, at prices. */
export interface RequestBill {
  /** Characters of the plain log. */
  readonly plainChars: number;
  readonly billed: number;
  readonly plainBilled: number;
}

/** The requests on the path to a step, in order. */
export async function* rebuildPath(
  store: ObjectStore,
  to: StepAddress,
  { rendererFor, basis: at, last = Number.POSITIVE_INFINITY, prices = noPrices, standing = false }: RebuildOptions,
): AsyncGenerator<RebuiltStep> {
  // The request before tells how much of one was kept.
  const renderedMax = last - 1 + renderedAtEnd;
  const { session } = to;
  const { steps, objects, from, known } = Number.isFinite(last)
    ? await loadRecent(store, to, { session, prices, headChars: 0, rendered: renderedMax, at, standing })
    : await loadPath(store, to, { rendered: renderedMax, at });
  const systemPrompts = new SystemPrompts(store, at);
  const log = from ?? new ContextLog(session, 0);
  const { state } = log;
  const hasher = new PromptHasher();
  for (const [place, step] of steps.entries()) {
    const { address, contentHash, document, ...written } = step;
    if (document === undefined) log.apply({ event: "erased", address, contentHash });
    else log.apply({ event: "requested", step: document, objects });
    if (place >= steps.length - renderedMax) {
      const systemPrompt = await systemPrompts.at(address.session, written);
      const isLost = systemPrompt === undefined && (await isPromptLost(store, address.session, written.basis));
      const layout = layoutOf(steps, place);
      const { sent } = state;
      log.apply({ event: "system prompt", text: systemPrompt ?? (isLost ? missingMark : erasedMark) });
      log.apply({ event: "sent", prompt: renderAgain(state, step, { layout, rendererFor }) });
      if (place >= steps.length - last) {
        const rebuilt = state.sent && {
          prompt: state.sent,
          hash: hasher.hash(state.sent, sent),
          recordedHash: document?.prompt_hash ?? "",
          complete: state.complete && systemPrompt !== undefined,
          missing: [...state.missing, ...(isLost ? [systemPromptId(address.session)] : [])],
        };
        yield { step, layout, rebuilt, known, bill: document && billOf(state, document, prices) };
      }
    }
    if (document !== undefined) log.apply({ event: "finished", step: document, objects, prices });
  }
}

function renderAgain(
  state: LogState,
  { address, document }: PathStep,
  { layout, rendererFor }: { readonly layout: string | undefined; readonly rendererFor: RendererFor },
): RenderedPrompt | undefined {
  const decision = document === undefined ? {} : knownDecision(state, document);
  const renderer = layout === undefined ? undefined : rendererFor(layout);
  if (renderer === undefined) return undefined;
  // A fork's path begins in another session: its requests were that session's.
  const view = { ...viewOf(state, "warm"), session: document?.requested_in ?? address.session };
  return asRecorded(rendered(renderer, view, decision), document);
}

/** Of one request, as the ledger counts them. */
function billOf(state: LogState, document: DocumentOf<"step">, prices: Pick<Prices, "read" | "write">): RequestBill {
  // From nothing, so that a long sum leaves no rounding behind.
  const ledger = { ...state.ledger, billed: 0, plainBilled: 0 };
  const { billed: own, plainBilled } = billed({ ledger, plainChars: state.plainChars }, document, prices);
  return { plainChars: state.plainChars, billed: own, plainBilled };
}

/** The layout of an erased step is not known: sessions seldom change theirs, so it is that of the nearest one. */
function layoutOf(steps: readonly PathStep[], place: number): string | undefined {
  const known = steps.slice(0, place + 1).findLast(({ document }) => document !== undefined);
  return (known ?? steps.find(({ document }) => document !== undefined))?.document?.layout;
}

function unknownLayout(layout: string | undefined) {
  return stepLogError(
    "session/unknown-layout",
    layout === undefined
      ? "The steps up to this one were erased, and nothing tells their layout."
      : `No renderer here writes layout ${layout}, in which this prompt was sent; use the version that recorded it, or hand in its renderer.`,
  );
}
