import type { AssistantEntry, ContextView, PartForm } from "@cm/context-log";
import { deciding, forming, type PlantedPolicyBug } from "./planted-policy-bug.ts";

const reference: PartForm = { form: "reference" };

export const bugsOfPolicyForms: readonly PlantedPolicyBug[] = [
  forming("What the user said is folded.", ["POL-010"], () => ({ 0: reference })),
  forming("Arguments take a form of output.", ["POL-010"], (view) => argsOf(view, () => true, { form: "sparse" })),
  forming("The newest output is folded.", ["POL-011"], ({ log, step }) =>
    Object.fromEntries(
      log.filter((entry) => entry.kind === "result" && entry.step === step).map(({ at }) => [at, reference]),
    ),
  ),
  deciding("The newest output leaves the active set.", ["POL-011"], (decision, { log, step }) => ({
    ...decision,
    deactivate: log.flatMap((entry) => (entry.kind === "result" && entry.step === step ? [entry.object] : [])),
  })),
  forming("Arguments of the current turn are folded.", ["POL-012"], (view) =>
    argsOf(view, ({ thinking, turn }) => thinking.length === 0 && turn === view.turn, reference),
  ),
  forming("Arguments beside thinking of the current turn are folded.", ["POL-012"], (view) =>
    argsOf(view, ({ thinking, turn }) => thinking.length > 0 && turn === view.turn, reference),
  ),
  forming("Pinned text is folded.", ["POL-013"], ({ log, sets, step }) =>
    Object.fromEntries(
      log
        .filter((entry) => entry.kind === "result" && entry.step < step && sets.pinned.has(entry.object))
        .map(({ at }) => [at, reference]),
    ),
  ),
  deciding("A pin is released that no window forces out.", ["POL-013"], (decision, { sets }) =>
    sets.pinned.size === 0 ? decision : { ...decision, release: [...sets.pinned].sort() },
  ),
];

function argsOf(
  { log }: ContextView,
  isMeant: (entry: AssistantEntry) => boolean,
  form: PartForm,
): Readonly<Record<string, PartForm>> {
  const parts = log.flatMap((entry) =>
    entry.kind === "assistant" && isMeant(entry) ? entry.calls.map((_, call) => `${entry.at}.${call}`) : [],
  );
  return Object.fromEntries(parts.map((part) => [part, form]));
}
