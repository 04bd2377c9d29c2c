import type { ContextPolicy, ContextView, PartForm, Prices } from "@cm/object-model";
import { contextLogPreset } from "./presets.ts";

const shortening: ReadonlySet<PartForm["form"]> = new Set(["sparse", "same", "diff", "spans"]);
const contextLog: ContextPolicy = contextLogPreset("default").policy;

/**
 * The forms in which the context log lets new parts arrive, and nothing else of what it decides: others that shorten
 * on arrival are compared by their folds alone.
 */
export function arrivalForms(view: ContextView, prices: Prices): Readonly<Record<string, PartForm>> {
  const forms = Object.entries(contextLog.decide(view, prices).forms ?? {});
  return Object.fromEntries(
    forms.filter(([part, { form }]) => shortening.has(form) && view.log[Number.parseInt(part, 10)]?.step === view.step),
  );
}

/** Parts that an open part refers to: without their text it would point at nothing. */
export function heldParts(
  view: ContextView,
  begins: Readonly<Record<string, PartForm>>,
): ReadonlyMap<string, readonly string[]> {
  const held = new Map<string, readonly string[]>();
  for (const [part, form] of [...view.forms, ...Object.entries(begins)]) {
    const target = form.form === "same" ? form.as : form.form === "diff" ? form.from : undefined;
    if (target !== undefined) held.set(target, [...(held.get(target) ?? []), part]);
  }
  return held;
}
