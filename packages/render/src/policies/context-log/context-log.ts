import type { ContextPolicy, ContextView, PartForm, PoolSummary, Prices, PromptDecision } from "@cm/object-model";
import { summaryMessage } from "../../log-messages/summary.ts";
import { namesInView } from "../../names/names-in-view.ts";
import { poolSummaryOf } from "../../pool/pool-summary.ts";
import { fitWindow } from "../../window/fit-window.ts";
import { arrivalForms } from "./arrival.ts";
import { chooseFold, type Fold, mayFold, savedChars } from "./fold.ts";
import { foldForms } from "./fold-forms.ts";
import type { ContextLogIdea, ContextLogSettings } from "./ideas.ts";
import { partsOf } from "./parts.ts";
import { Reasons } from "./reasons.ts";
import { recallsOf } from "./recalls.ts";
import { type Ground, groundOf, isDead } from "./standing.ts";

/** Living file text that is spared, as a share of the plain log: the one knob between cost and need. */
export const contextLogPresets = { careful: 0.3, default: 0.23, lean: 0.1 } as const;

export type ContextLogPreset = keyof typeof contextLogPresets;

export interface ContextLogOptions {
  /** Default: `default`. */
  readonly preset?: ContextLogPreset;
  /** In place of the preset's. */
  readonly floor?: number;
  /** Ideas that are left out, to see what they are worth. */
  readonly without?: readonly ContextLogIdea[];
}

/**
 * The context log's policy (design 7, reference/context-log): shorten on arrival, recall what an edit misses, and fold
 * dead text where and when the rent it cost exceeds the price of the cut. It keeps no state: everything follows from
 * the view, and what is remembered of a log are facts that never change.
 */
export function contextLogPolicy(options: ContextLogOptions = {}): ContextPolicy {
  const { preset = "default", floor = contextLogPresets[preset], without = [] } = options;
  const settings: ContextLogSettings = { floor, without: new Set(without) };
  return {
    contract: "policy/1",
    name: "context-log",
    decide: (view, prices) => decide(view, prices, settings),
  };
}

function decide(view: ContextView, prices: Prices, settings: ContextLogSettings): PromptDecision {
  const { without } = settings;
  const log = partsOf(view);
  const { plainChars } = log;
  // At every request, so that a fold finds the names counted.
  const names = namesInView(view);
  const begins = arrivalForms(view, log, without);
  const ground = groundOf(view, log, { begins, settings });
  const recalls = recallsOf(view, { log, ground, prices, without });
  const facts = { ground, prices, settings, plainChars, appendedChars: recalls.chars };
  const wanted = chooseFold(view, facts);
  const forms = wanted === undefined ? noForms : foldForms(view, wanted, { begins, names, without });
  const fold = wanted !== undefined && mayFold(view, wanted, { ...facts, forms }) ? wanted : undefined;
  const folded = fold === undefined ? noForms : forms;
  const reasons = new Reasons();
  for (const [object, reason] of recalls.reasons) reasons.add(reason, object);
  if (fold !== undefined) reasons.addFold(view, fold, folded);
  const decision: PromptDecision = {
    ...(begins.size + folded.size === 0 ? {} : { forms: Object.fromEntries([...begins, ...folded]) }),
    ...(recalls.reasons.size === 0 ? {} : { recall: [...recalls.reasons.keys()] }),
    ...foldDecision(view, ground, { fold, folded }),
    ...reasons.decision,
  };
  if (view.window === undefined) return decision;
  return fitWindow(view, decision, new Set(ground.open.filter(isDead).map(({ part }) => part.key)));
}

const noForms: ReadonlyMap<string, PartForm> = new Map();

interface DecidedFold {
  readonly fold: Fold | undefined;
  readonly folded: ReadonlyMap<string, PartForm>;
}

function foldDecision(
  view: ContextView,
  ground: Ground,
  { fold, folded }: DecidedFold,
): Pick<PromptDecision, "fold" | "summary"> {
  if (fold === undefined || folded.size === 0) return {};
  const summary = fold.reason === "cold" ? summaryWithin(view, savedChars(view, ground, folded)) : undefined;
  const cut = summary === undefined ? Math.min(...[...folded.keys()].map((part) => Number.parseInt(part, 10))) : 0;
  return { fold: { cut, reason: fold.reason }, ...(summary === undefined ? {} : { summary }) };
}

/**
 * A cold cache has nothing to lose: what the agent may name is summed up on top (design 7.8), where the fold saves as
 * much as that takes.
 */
function summaryWithin(view: ContextView, savedChars: number): PoolSummary | undefined {
  const summary = poolSummaryOf(view);
  const more = (summaryMessage(summary)?.chars ?? 0) - (summaryMessage(view.summary)?.chars ?? 0);
  return more <= savedChars ? summary : undefined;
}
