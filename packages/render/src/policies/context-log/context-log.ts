import {
  type ContextPolicy,
  type ContextView,
  type PartForm,
  type Prices,
  type PromptDecision,
  resultPart,
} from "@cm/context-log";
import { messagePlace } from "../../log-messages/log-places.ts";
import { namesInView } from "../../names/names-in-view.ts";
import { fitWindow } from "../../window/fit-window.ts";
import { arrivalForms } from "./arrival.ts";
import type { CutFacts } from "./cut.ts";
import { chooseFolds, type Fold, type FoldSizes, mayFold } from "./fold.ts";
import { foldForms } from "./fold-forms.ts";
import type { ContextLogIdea } from "./ideas.ts";
import { type LogParts, partsOf } from "./parts.ts";
import { type ContextLogPreset, type ContextLogSettings, contextLogPresets } from "./presets.ts";
import { ProtectedParts, type Protection } from "./protection.ts";
import { Reasons } from "./reasons.ts";
import { recallsOf } from "./recalls.ts";
import { groundOf } from "./standing.ts";

export interface ContextLogOptions {
  /** Default: `default`. */
  readonly preset?: ContextLogPreset;
  /** In place of the preset's. */
  readonly floor?: number;
  /** Ideas that are left out, to see what they are worth. */
  readonly without?: readonly ContextLogIdea[];
  /** What stays in full as long as the model's window has room for it. Default: nothing but what is pinned. */
  readonly protection?: Protection;
  /** Folds at once all that may be folded, whatever it costs: a person asked for it. */
  readonly foldsNow?: boolean;
}

/**
 * The context log's policy (SSOT 4.4): shorten on arrival, recall what an edit misses, and fold
 * dead text where and when the rent it cost exceeds the price of the cut. It keeps no state: everything follows from
 * the view, and what is remembered of a log are facts that never change.
 */
export function contextLogPolicy(options: ContextLogOptions = {}): ContextPolicy {
  const settings = settingsOf(options);
  return {
    contract: "policy/1",
    name: "context-log",
    decide: (view, prices) => decide(view, prices, settings),
  };
}

export function settingsOf(options: ContextLogOptions): ContextLogSettings {
  const { preset = "default", floor = contextLogPresets[preset].floor, without = [], foldsNow = false } = options;
  const protection = new ProtectedParts(options.protection);
  return { ...contextLogPresets[preset], floor, without: new Set(without), protection, foldsNow };
}

function decide(view: ContextView, prices: Prices, settings: ContextLogSettings): PromptDecision {
  const { without } = settings;
  const log = partsOf(view);
  const { plainChars } = log;
  // At every request, so that a fold finds the names counted.
  namesInView(view);
  const begins = arrivalForms(view, log, without);
  const ground = groundOf(view, log, { begins, settings });
  const recalls = recallsOf(view, { log, ground, prices, without });
  const facts = { ground, prices, settings, plainChars, appendedChars: recalls.chars };
  const { fold, folded } = foldWithin(view, facts, begins);
  const reasons = new Reasons();
  for (const [object, reason] of recalls.reasons) reasons.add(reason, object);
  if (fold !== undefined) reasons.addFold(view, fold, folded);
  const decision: PromptDecision = {
    ...(begins.size + folded.size === 0 ? {} : { forms: Object.fromEntries([...begins, ...folded]) }),
    ...(recalls.recalls.length === 0 ? {} : { recall: recalls.recalls }),
    ...rewritten(view, { fold, folded, told: recalls.recalls.map(({ into }) => into) }),
    ...reasons.decision,
  };
  const { window, foldToBytes, dialogueToBytes } = view;
  if (window === undefined && foldToBytes === undefined && dialogueToBytes === undefined) return decision;
  const dead = new Set(Array.from(ground.dead(), ({ part }) => part.key).reverse());
  return fitWindow(view, decision, dead, () => protectedKeys(view, log, settings));
}

/** What a window takes last. What was said has no form of its own but the one that a window gives it. */
function protectedKeys(view: ContextView, log: LogParts, { protection }: ContextLogSettings): ReadonlySet<string> {
  if (protection.isEmpty) return new Set();
  const kept = log.parts.filter((part) => protection.by(part, log, view.turn) !== undefined);
  return new Set(kept.map(({ key, at }) => (key === "" ? resultPart(at) : key)));
}

const noForms: ReadonlyMap<string, PartForm> = new Map();

interface DecidedFold {
  readonly fold: Fold | undefined;
  readonly folded: ReadonlyMap<string, PartForm>;
}

/** The first of the folds that this request would make whose forms, as they will stand, the guard allows. */
function foldWithin(
  view: ContextView,
  facts: CutFacts & FoldSizes,
  begins: ReadonlyMap<string, PartForm>,
): DecidedFold {
  for (const fold of chooseFolds(view, facts)) {
    const folded = foldForms(view, fold, { begins, names: namesInView(view), without: facts.settings.without });
    if (mayFold(view, fold, { ...facts, forms: folded })) return { fold, folded };
  }
  return { fold: undefined, folded: noForms };
}

/** Where sent text is rewritten: by a fold, or by a note that a result gets which was sent before. */
function rewritten(
  view: ContextView,
  { fold, folded, told }: DecidedFold & { readonly told: readonly number[] },
): Pick<PromptDecision, "fold"> {
  const sent = told.filter((place) => (view.log[place]?.step ?? view.step) < view.step);
  const places = [...[...folded.keys()].map((part) => messagePlace(view.log, part)), ...sent];
  if (places.length === 0 || (folded.size === 0 && sent.length === 0)) return {};
  return { fold: { cut: Math.min(...places), reason: folded.size === 0 ? "asked" : (fold?.reason ?? "rent") } };
}
