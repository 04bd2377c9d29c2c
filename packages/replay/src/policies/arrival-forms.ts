import {
  basesOf,
  type ContextPolicy,
  type ContextView,
  type PartForm,
  type Prices,
  placeOfPart,
} from "@cm/context-log";
import { type Forms, referencesTo } from "./part-sizes.ts";
import { contextLogPreset } from "./presets.ts";

const shortening: ReadonlySet<PartForm["form"]> = new Set(["sparse", "same", "diff", "pointer", "spans"]);
const contextLog: ContextPolicy = contextLogPreset("default").policy;

/**
 * The forms in which the context log lets new parts arrive, and nothing else of what it decides: others that shorten
 * on arrival are compared by their folds alone.
 */
export function arrivalForms(view: ContextView, prices: Prices): Forms {
  const forms = Object.entries(contextLog.decide(view, prices).forms ?? {});
  return Object.fromEntries(
    forms.filter(([part, { form }]) => shortening.has(form) && view.log[placeOfPart(part)]?.step === view.step),
  );
}

/** The parts that refer to a part, by that part: without its text they would point at nothing. */
export function dependentParts(view: ContextView, begins: Forms): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, readonly string[]>();
  for (const [part, form] of [...view.forms, ...Object.entries(begins)]) {
    for (const target of basesOf(form)) dependents.set(target, [...(dependents.get(target) ?? []), part]);
  }
  return dependents;
}

/** Folds what refers to folded parts with them, also where that saves nothing. */
export function withDependents(forms: Forms, dependents: ReadonlyMap<string, readonly string[]>): Forms {
  const more = Object.keys(forms)
    .filter((part) => forms[part]?.form === "reference")
    .flatMap((part) => dependents.get(part) ?? [])
    .filter((part) => forms[part]?.form !== "reference");
  return more.length === 0 ? forms : withDependents({ ...forms, ...referencesTo([{ parts: more }]) }, dependents);
}
