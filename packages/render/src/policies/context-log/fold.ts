import { basesOf, billedInput, type ContextView, type PartForm, type Prices, type servedBefore } from "@cm/context-log";
import { charsIn } from "../log-index/fold-candidates.ts";
import { type Part, worthFolding, worthRewriting } from "../log-index/part.ts";
import type { ContextLogConstants } from "./constants.ts";
import type { CutFacts, Cuts } from "./cut.ts";
import { type FoldCandidate, isExpired, isMember, type PromptEstimate } from "./estimate.ts";

export interface Fold {
  /** The first entry that changes. */
  readonly cut: number;
  readonly reason: "rent" | "cold" | "person";
  /** Parts that become references. */
  readonly parts: readonly Part[];
  /** Arguments of edits that lose the text they replaced, where text is rewritten anyway. */
  readonly shortened: readonly Part[];
}

/** Whether a fold takes out of an edit's arguments what was replaced. */
export type IsShortened = (view: ContextView, candidate: FoldCandidate, along: Along) => boolean;

export interface FoldFacts extends CutFacts {
  readonly settings: {
    readonly constants: ContextLogConstants;
    readonly foldsNow: boolean;
    readonly stages: { readonly cuts: Cuts; readonly isShortened: IsShortened };
  };
}

/** What a cut leaves in a cache that keeps only marked prefixes: see `servedBefore`. */
export type Served = ReturnType<typeof servedBefore>;

/** What the guard weighs a fold against. */
export interface FoldSizes {
  /** Length of the plain log. */
  readonly plainChars: number;
  /** What this request recalls. */
  readonly appendedChars: number;
}

/**
 * The folds that this request would make, the best one first, each made when it is asked for: all that is expired when the cache is cold or a person asks for
 * it, else what rent or purchase says. A fold reaches back to what the agent let go, where the guard allows it.
 */
export function* chooseFolds(view: ContextView, facts: FoldFacts): Generator<Fold> {
  const { estimate, settings } = facts;
  if (settings.foldsNow) return yield* foldOf(view, estimate.candidates, { reason: "person", settings });
  if (view.cache === "cold") return yield* foldOf(view, estimate.candidates, { reason: "cold", settings });
  const cuts = settings.stages.cuts(view, facts);
  const [best] = cuts;
  if (best === undefined) return;
  const released = view.sets.dismissed.size === 0 ? undefined : firstReleased(view, facts);
  const starts = cuts.map(({ from }) => from);
  if (released !== undefined && released.before < best.from.before) starts.unshift(released);
  for (const start of starts) {
    const behind = estimate.candidates.filter((candidate) => candidate.before >= start.before);
    yield* foldOf(view, behind, { reason: "rent", settings });
  }
}

/** The first part that the agent let go and that a fold would take. */
function firstReleased(view: ContextView, { estimate, settings }: FoldFacts): FoldCandidate | undefined {
  return estimate.candidates.find(
    (candidate) =>
      isFolded(candidate, alongOf("rent", settings.constants)) && isMember(view, "dismissed", candidate.part),
  );
}

/**
 * Whether the guard allows a fold as it will stand, with all that its references keep. Where everything is rewritten
 * anyway, or a person wants it, nothing is compared.
 */
export function mayFold(
  view: ContextView,
  fold: Fold,
  {
    estimate,
    prices,
    settings,
    plainChars,
    appendedChars,
    forms,
    served,
  }: FoldFacts & FoldSizes & { readonly forms: ReadonlyMap<string, PartForm>; readonly served: Served },
): boolean {
  if (fold.reason !== "rent") return true;
  const total = estimate.chars + appendedChars - savedChars(view, estimate, forms);
  const before = estimate.candidates.find(({ part }) => forms.has(part.key))?.before ?? 0;
  const kept = Math.min(before, served?.(fold.cut) ?? before);
  return staysCheap(view, { prices, constants: settings.constants }, { plainChars, managed: { kept, total } });
}

/** What forms take from the prompt as it stands, in characters. */
function savedChars(view: ContextView, estimate: PromptEstimate, forms: ReadonlyMap<string, PartForm>): number {
  let saved = 0;
  for (const { part, chars } of estimate.candidates) {
    const form = forms.get(part.key);
    if (form !== undefined) saved += chars - charsIn(view, part, form);
  }
  return saved;
}

/** How far the clock of a part must have run for a fold to take it along, and how far it may, as shares of its limit. */
export interface Along {
  readonly from: number;
  readonly below: number;
}

/**
 * Where text is written anew, what has run most of its clock goes along: folded now it costs nothing, and a cut of its own
 * later. Behind a cut that is also what the budget retains; a cold cache is no reason to take that away, nor is a person
 * who asks for what is expired.
 */
function alongOf(reason: Fold["reason"], { alongShare }: ContextLogConstants): Along {
  const never = Number.POSITIVE_INFINITY;
  if (reason === "person") return { from: never, below: never };
  return { from: alongShare, below: reason === "cold" ? 1 : never };
}

const isFolded = (candidate: FoldCandidate, along: Along): boolean =>
  (isExpired(candidate) || (candidate.isFree && candidate.run >= along.from && candidate.run < along.below)) &&
  candidate.chars > candidate.part.folded + worthFolding;

function foldOf(
  view: ContextView,
  candidates: readonly FoldCandidate[],
  { reason, settings }: { readonly reason: Fold["reason"]; readonly settings: FoldFacts["settings"] },
): readonly Fold[] {
  const along = alongOf(reason, settings.constants);
  const folded = candidates.filter((candidate) => isFolded(candidate, along));
  const gone = new Set(folded.map(({ part }) => part.key));
  // However short it is: what points at them goes with them. It is expired, else they were held.
  const isOpen = ({ part, form }: FoldCandidate): boolean =>
    form !== undefined && !gone.has(part.key) && basesOf(form).some((base) => gone.has(base));
  const parts = candidates.filter((one) => gone.has(one.part.key) || isOpen(one)).map(({ part }) => part);
  const shortened = candidates.filter((candidate) => settings.stages.isShortened(view, candidate, along));
  if (parts.length === 0 && (reason !== "cold" || shortened.length === 0)) return [];
  const cut = Math.min(parts[0]?.at ?? Number.POSITIVE_INFINITY, shortened[0]?.part.at ?? Number.POSITIVE_INFINITY);
  return [{ cut, reason, parts, shortened: shortened.map(({ part }) => part) }];
}

/** In the current turn only what may fold does: its newest arguments, and those beside thinking, are never touched. */
export function isShortened(view: ContextView, candidate: FoldCandidate, along: Along): boolean {
  const { part, form, chars, isProtected, isFree } = candidate;
  if (isProtected || part.replaced === undefined || form?.form === "replaced") return false;
  if (part.turn >= view.turn && !isFree) return false;
  return !isFolded(candidate, along) && chars - part.replaced > worthRewriting;
}

export interface PromptSize {
  /** What a cache can serve of this request, and its whole length; both without the fixed head. */
  readonly kept: number;
  readonly total: number;
}

export interface GuardFacts {
  readonly prices: Prices;
  readonly constants: ContextLogConstants;
}

/**
 * True while this request keeps the session within what the plain log would have cost by then, or, before a session
 * counts as settled, while it does so together with the calls up to there. Both sides are known, not guessed: what comes
 * is the same text in both logs, so that the shorter prompt saves at least what it saves now.
 */
export function staysCheap(
  view: ContextView,
  { prices, constants }: GuardFacts,
  sizes: { readonly plainChars: number; readonly managed: PromptSize },
): boolean {
  const { ledger } = view;
  const warm = ledger.requests > 0 && view.cache === "warm";
  const managed = priceOf(prices, sizes.managed, ledger.headChars, warm);
  const plain = priceOf(prices, { kept: ledger.plainChars, total: sizes.plainChars }, ledger.headChars, warm);
  const lent = lentCalls(ledger.requests, constants);
  const carried = (chars: number): number => lent * prices.read * (chars + ledger.headChars);
  const spent = ledger.billed + managed + carried(sizes.managed.total);
  return spent <= constants.regretShare * (ledger.plainBilled + plain + carried(sizes.plainChars));
}

/** Calls whose carrying is lent to a fold. A loan is paid back before the session is settled. */
function lentCalls(requests: number, { shortRequests, settledRequests, lentCallsMax }: ContextLogConstants): number {
  if (requests < shortRequests) return 0;
  return Math.max(0, Math.min(lentCallsMax, settledRequests - 1 - requests));
}

function priceOf(prices: Prices, size: PromptSize, headChars: number, warm: boolean): number {
  return billedInput(prices, { total: size.total + headChars, cached: warm ? size.kept + headChars : 0 });
}
