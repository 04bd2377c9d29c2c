import type { ContextPolicy, ContextView, PartForm, Prices, PromptDecision } from "@cm/object-model";
import { fitWindow } from "../../window/fit-window.ts";
import { arrivalForms } from "./arrival.ts";
import { chooseFold, referenceForm } from "./fold.ts";
import { partsOf } from "./parts.ts";
import { recallsOf } from "./recalls.ts";
import { groundOf, isDead } from "./standing.ts";

export interface ContextLogOptions {
  /** Living file text that is spared from folding, as a share of the plain log: the knob between cost and need. */
  readonly floor: number;
}

/**
 * The context log's policy (design 7, reference/context-log): shorten on arrival, recall what an edit misses, and fold
 * dead text where and when the rent it cost exceeds the price of the cut. It keeps no state: everything follows from
 * the view, and what is remembered of a log are facts that never change.
 */
export function contextLogPolicy(options: ContextLogOptions = { floor: 0.3 }): ContextPolicy {
  return {
    contract: "policy/1",
    name: "context-log",
    decide: (view, prices) => decide(view, prices, options),
  };
}

function decide(view: ContextView, prices: Prices, options: ContextLogOptions): PromptDecision {
  const log = partsOf(view);
  const { plainChars } = log;
  const begins = arrivalForms(view, log);
  const ground = groundOf(view, log, { begins, floorChars: options.floor * plainChars });
  const recalls = recallsOf(view, { log, ground, prices });
  const fold = chooseFold(view, prices, { ground, plainChars, appendedChars: recalls.chars });
  const folded = (fold?.parts ?? []).map((part): [string, PartForm] => [part, referenceForm]);
  const forms = [...begins, ...folded];
  const decision = {
    ...(forms.length === 0 ? {} : { forms: Object.fromEntries(forms) }),
    ...(recalls.objects.length === 0 ? {} : { recall: recalls.objects }),
    ...(fold === undefined ? {} : { fold: { cut: fold.cut, reason: fold.reason } }),
  };
  if (view.window === undefined) return decision;
  return fitWindow(view, decision, new Set(ground.open.filter(isDead).map(({ part }) => part.key)));
}
