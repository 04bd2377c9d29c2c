import type { ContextView, PartForm, Prices, PromptDecision, PromptMessage } from "@cm/context-log";
import type { PolicyFactory } from "../policy/policy-case.ts";
import { openSimplePolicy, simplePolicy } from "../policy/simple-policy.ts";
import { promptOf, simpleRenderer } from "../policy/simple-renderer.ts";

/** A policy or a renderer with one fault, and the cases that are meant to find it. */
export interface PlantedPolicyBug {
  /** What it does wrong. */
  readonly name: string;
  readonly caughtBy: readonly string[];
  readonly open: PolicyFactory;
}

/** The simple policy with each of its decisions changed. */
export function deciding(
  name: string,
  caughtBy: readonly string[],
  change: (decision: PromptDecision, view: ContextView, prices: Prices) => PromptDecision,
): PlantedPolicyBug {
  const policy = {
    ...simplePolicy,
    decide: (view: ContextView, prices: Prices) => change(simplePolicy.decide(view, prices), view, prices),
  };
  return { name, caughtBy, open: () => ({ ...openSimplePolicy(), policy }) };
}

/** The simple policy with forms more than it should have. */
export const forming = (
  name: string,
  caughtBy: readonly string[],
  formsFor: (view: ContextView) => Readonly<Record<string, PartForm>>,
): PlantedPolicyBug =>
  deciding(name, caughtBy, (decision, view) => ({
    ...decision,
    forms: { ...decision.forms, ...formsFor(view) },
    fold: { cut: 0, reason: "planted" },
  }));

/** The simple renderer with the messages of each prompt changed. */
export function rendering(
  name: string,
  caughtBy: readonly string[],
  change: (messages: readonly PromptMessage[], view: ContextView) => readonly PromptMessage[],
): PlantedPolicyBug {
  const renderer = {
    ...simpleRenderer,
    render: (view: ContextView, decision: PromptDecision) =>
      promptOf(view, change(simpleRenderer.render(view, decision).messages, view)),
  };
  return { name, caughtBy, open: () => ({ ...openSimplePolicy(), renderer }) };
}
