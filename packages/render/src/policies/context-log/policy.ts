import {
  type ContextPolicy,
  type ContextView,
  type PartForm,
  type Prices,
  type PromptDecision,
  resultPart,
  servedBefore,
} from "@cm/context-log";
import { nonEmpty } from "@cm/object-model";
import { messagePlace } from "../../layouts/log/log-places.ts";
import type { ClockOf } from "../log-index/candidate-rows.ts";
import { type LogParts, partsOf } from "../log-index/log-parts.ts";
import type { Part } from "../log-index/part.ts";
import { namesInView } from "../names/names-in-view.ts";
import { ProtectedParts, type Protection } from "../protection.ts";
import { fitWindow } from "../window/fit-window.ts";
import { besideLateResults } from "../window/late-results.ts";
import { type ArrivalForms, arrivalForms, earlierText, repeatedLines, sparseNumbers } from "./arrival.ts";
import { type ContextLogConstants, type ContextLogPreset, contextLogConstants } from "./constants.ts";
import { type Cuts, hasSavedLittle, payingCuts } from "./cut.ts";
import { promptEstimate } from "./estimate.ts";
import {
  chooseFolds,
  type Fold,
  type FoldFacts,
  type FoldSizes,
  type IsShortened,
  isShortened,
  mayFold,
  type Served,
} from "./fold.ts";
import { bareReferences, type References, referencesWith } from "./references.ts";
import { failedEditsOf, type Misses, recallsOf } from "./refetch.ts";
import { expiryOf, type IsBound, isBound } from "./retention.ts";

/** What the policy does at a request, in this order. Each can be replaced by itself; all are pure. */
export interface ContextLogStages {
  /** In which shorter forms a text may arrive, those that save most first. */
  readonly arrival: readonly ArrivalForms[];
  /** When the clock of each part runs down. Text behind it is expired, unless budget, pins or protection retain it. */
  readonly expiry: (constants: ContextLogConstants) => ClockOf;
  readonly isBound: IsBound;
  readonly misses: Misses;
  readonly cuts: Cuts;
  readonly isShortened: IsShortened;
  /** The forms that a fold begins. */
  readonly references: References;
}

export const contextLogStages: ContextLogStages = {
  arrival: [earlierText, sparseNumbers, repeatedLines],
  expiry: expiryOf,
  isBound,
  misses: failedEditsOf,
  cuts: payingCuts,
  isShortened,
  references: referencesWith(),
};

/** What a person may want of it. */
export interface ContextLogWishes {
  /** What stays in full as long as the model's window has room for it. Default: nothing but what is pinned. */
  readonly protection?: Protection;
  /** Folds at once all that may be folded, whatever it costs: a person asked for it. */
  readonly foldsNow?: boolean;
}

export interface ContextLogOptions extends ContextLogWishes {
  /** Default: `default`. */
  readonly preset?: ContextLogPreset;
  /** In place of the preset's. */
  readonly retentionBudget?: number;
}

/** What a policy was made with. */
export interface ContextLogSettings {
  readonly stages: ContextLogStages;
  readonly constants: ContextLogConstants;
  readonly protection: ProtectedParts;
  readonly foldsNow: boolean;
  readonly clockOf: ClockOf;
}

/**
 * The context log's policy (SSOT 4.4): shorten on arrival, recall what an edit misses, and fold expired text where and when
 * the rent it cost exceeds the price of the cut. It keeps no state: everything follows from the view and its index.
 */
export const contextLogPolicy = (options: ContextLogOptions = {}): ContextPolicy => policyWith(settingsOf(options));

/** The same of other stages or constants, to see what each is worth. */
export const contextLogPolicyOf = (
  stages: ContextLogStages = contextLogStages,
  constants: ContextLogConstants = contextLogConstants(),
  wishes: ContextLogWishes = {},
): ContextPolicy => policyWith(settingsWith(stages, constants, wishes));

export function settingsOf({ preset, retentionBudget, ...wishes }: ContextLogOptions): ContextLogSettings {
  const constants = contextLogConstants(preset);
  const budget = retentionBudget ?? constants.retentionBudget;
  return settingsWith(contextLogStages, { ...constants, retentionBudget: budget }, wishes);
}

const settingsWith = (
  stages: ContextLogStages,
  constants: ContextLogConstants,
  { protection, foldsNow = false }: ContextLogWishes,
): ContextLogSettings => ({
  ...{ stages, constants, foldsNow, clockOf: stages.expiry(constants) },
  protection: new ProtectedParts(protection),
});

const policyWith = (settings: ContextLogSettings): ContextPolicy => ({
  contract: "policy/1",
  name: "context-log",
  decide: (view, prices) => besideLateResults(view, (left) => decide(left, prices, settings)),
});

function decide(view: ContextView, prices: Prices, settings: ContextLogSettings): PromptDecision {
  const { stages, constants } = settings;
  const log = partsOf(view);
  const { plainChars } = log;
  // At every request, so that a fold finds the names counted.
  namesInView(view);
  const begins = arrivalForms(view, log, { ways: stages.arrival, constants });
  const estimate = promptEstimate(view, log, { begins, settings });
  const recalls = recallsOf(view, { log, estimate, prices, settings });
  const facts = { estimate, prices, settings, plainChars, appendedChars: recalls.chars };
  const { fold, folded } = foldWithin(view, facts, begins);
  const reasons = new Reasons();
  for (const [object, reason] of recalls.reasons) reasons.add(reason, object);
  if (fold !== undefined) reasons.addFold(view, fold, folded);
  const decision: PromptDecision = {
    ...(begins.size + folded.size === 0 ? {} : { forms: Object.fromEntries([...begins, ...folded]) }),
    ...nonEmpty({ recall: recalls.recalls }),
    ...rewritten(view, { fold, folded, told: recalls.recalls.map(({ into }) => into) }),
    ...reasons.decision,
  };
  const { window, foldToBytes, dialogueToBytes } = view;
  if (window === undefined && foldToBytes === undefined && dialogueToBytes === undefined) return decision;
  const expired = new Set(Array.from(estimate.expired(), ({ part }) => part.key).reverse());
  return fitWindow(view, decision, expired, () => protectedKeys(view, log, settings));
}

/** What a window takes last. What was said has no form of its own but the one that a window gives it. */
function protectedKeys(view: ContextView, log: LogParts, { protection }: ContextLogSettings): ReadonlySet<string> {
  if (protection.isEmpty) return new Set();
  const kept = log.parts.filter((part) => protection.by(part, log, view.turn) !== undefined);
  return new Set(kept.map(({ key, at }) => (key === "" ? resultPart(at) : key)));
}

interface DecidedFold {
  readonly fold: Fold | undefined;
  readonly folded: ReadonlyMap<string, PartForm>;
}

const noFold: DecidedFold = { fold: undefined, folded: new Map() };

type DecisionFacts = FoldFacts & FoldSizes & { readonly settings: ContextLogSettings };

/**
 * The first of the folds that this request would make whose forms, as they will stand, the guard allows. Where it allows
 * none and the session has saved little, folds are tried again that rewrite less: they take more along, and then keep
 * fewer names as well.
 */
function foldWithin(view: ContextView, facts: DecisionFacts, begins: ReadonlyMap<string, PartForm>): DecidedFold {
  const chosen = chooseFolds(view, facts);
  const best = chosen.next();
  // Most requests end here: no fold pays, so that there is nothing to refuse and to ask for again.
  if (best.done === true) return noFold;
  const folds = affordableFolds(view, facts, following(best.value, chosen));
  const usual = firstAllowed(view, facts, { folds, begins, isTight: false });
  const { constants, foldsNow } = facts.settings;
  if (usual.fold !== undefined || foldsNow || view.cache === "cold" || !constants.triesTighter) return usual;
  return hasSavedLittle(view, constants) ? tighterFold(view, facts, begins) : usual;
}

function* following(first: Fold, others: Iterable<Fold>): Generator<Fold> {
  yield first;
  yield* others;
}

function tighterFold(view: ContextView, facts: DecisionFacts, begins: ReadonlyMap<string, PartForm>): DecidedFold {
  const { constants } = facts.settings;
  const settings = { ...facts.settings, constants: { ...constants, alongShare: constants.tightAlongShare } };
  const tight = { ...facts, settings };
  // Both tries ask for the same folds. Those that are too dear without a name are not made a second time.
  const folds = [...affordableFolds(view, tight, chooseFolds(view, tight))];
  for (const isTight of [false, true]) {
    const decided = firstAllowed(view, tight, { folds, begins, isTight });
    if (decided.fold !== undefined) return decided;
  }
  return noFold;
}

/** A fold that the guard allows while its references keep nothing. */
interface AffordableFold {
  readonly fold: Fold;
  readonly served: Served;
}

/** Names and lines only add to a reference: what is too dear without them is so with them. */
function* affordableFolds(view: ContextView, facts: DecisionFacts, folds: Iterable<Fold>): Generator<AffordableFold> {
  let served: Served;
  for (const fold of folds) {
    served ??= servedBefore(view, facts.prices);
    if (mayFold(view, fold, { ...facts, served, forms: bareReferences(view, fold) })) yield { fold, served };
  }
}

interface TriedFolds {
  readonly folds: Iterable<AffordableFold>;
  readonly begins: ReadonlyMap<string, PartForm>;
  readonly isTight: boolean;
}

function firstAllowed(view: ContextView, facts: DecisionFacts, { folds, begins, isTight }: TriedFolds): DecidedFold {
  for (const { fold, served } of folds) {
    const folded = facts.settings.stages.references(view, fold, { begins, names: namesInView(view), isTight });
    if (mayFold(view, fold, { ...facts, served, forms: folded })) return { fold, folded };
  }
  return noFold;
}

/** Where sent text is rewritten: by a fold, or by a note that a result gets which was sent before. */
function rewritten(
  view: ContextView,
  { fold, folded, told }: DecidedFold & { readonly told: readonly number[] },
): Pick<PromptDecision, "fold"> {
  const sent = told.filter((place) => (view.log[place]?.step ?? view.step) < view.step);
  const places = [...[...folded.keys()].map((part) => messagePlace(view.log, part)), ...sent];
  if (places.length === 0) return {};
  return { fold: { cut: Math.min(...places), reason: folded.size === 0 ? "asked" : (fold?.reason ?? "rent") } };
}

/** Why a part is folded, in words for the report. */
const clockReasons = {
  text: "said",
  brief: "output was read",
  read: "file was long not used",
  recalled: "file was long not used",
  change: "edit was made",
  "change-args": "edit is long ago",
} as const satisfies Record<Part["class"], string>;

/** What a step records of why: each reason with the parts or objects that it holds for. */
class Reasons {
  readonly #reasons = new Map<string, string[]>();

  add(reason: string, what: string): void {
    this.#reasons.set(reason, [...(this.#reasons.get(reason) ?? []), what]);
  }

  addFold(view: ContextView, { parts, shortened, reason }: Fold, folded: ReadonlyMap<string, PartForm>): void {
    for (const { key, object, class: kind } of parts) {
      if (!folded.has(key)) continue;
      const dismissed = object !== undefined && view.sets.dismissed.has(object);
      const asked = reason === "person" ? "a person asked" : clockReasons[kind];
      this.add(dismissed ? "agent let go" : asked, key);
    }
    for (const { key } of shortened) this.add("replaced text is gone", key);
  }

  get decision(): Pick<PromptDecision, "reasons"> {
    return this.#reasons.size === 0 ? {} : { reasons: Object.fromEntries(this.#reasons) };
  }
}
