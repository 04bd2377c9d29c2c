import {
  type ContextPolicy,
  type ContextView,
  messageBytes,
  newestResult,
  type PartForm,
  type PromptDecision,
  type RecalledEntry,
  type ResultEntry,
} from "@cm/context-log";
import type { PolicySubject } from "./policy-subject.ts";
import { simpleRenderer } from "./simple-renderer.ts";

/**
 * A small policy that holds every law: old output goes when everything is written anew anyway, what the agent asks for
 * comes back, and a window takes old output, the middle of new output, pins and the middle of dialogue, in this order.
 */
export const simplePolicy: ContextPolicy = {
  contract: "policy/1",
  name: "simple",
  decide(view) {
    const decision = withoutWindow(view);
    if (view.window === undefined) return decision;
    const { bytesMax } = view.window;
    return windowStages.reduce(
      (fitted, stage) => (bytesOf(view, fitted) > bytesMax ? stage(view, fitted) : fitted),
      decision,
    );
  },
};

export const openSimplePolicy = (): PolicySubject => ({
  policy: simplePolicy,
  renderer: simpleRenderer,
  promises: ["cost", "dismissal", "requests", "window"],
});

const keptSteps = 3;
const worthFoldingChars = 100;

function withoutWindow(view: ContextView): PromptDecision {
  const asked = [...view.sets.requested].filter((id) => typeof view.objects.get(id)?.text === "string").sort();
  const old = view.cache === "cold" ? outputsOf(view).filter((entry) => isOld(view, entry)) : [];
  const into = newestResult(view.log);
  if (asked.length === 0 || into < 0) return folding(view, {}, old);
  const decision = { ...folding(view, {}, old), recall: asked.map((object) => ({ object, into })) };
  // What stood in a request before is written anew where something is told in it.
  return (view.log[into]?.step ?? view.step) < view.step ? { ...decision, fold: cutAt(decision, into) } : decision;
}

const cutAt = ({ fold }: PromptDecision, place: number): { readonly cut: number; readonly reason: string } => ({
  cut: Math.min(fold?.cut ?? place, place),
  reason: fold?.reason ?? "asked",
});

const outputsOf = ({ log }: ContextView): readonly (ResultEntry | RecalledEntry)[] =>
  log.filter((entry) => entry.kind === "result" || entry.kind === "recalled");

function isOld({ sets, step, forms }: ContextView, entry: ResultEntry | RecalledEntry): boolean {
  const stands = forms.get(`${entry.at}`) === undefined && (entry.text?.length ?? 0) > worthFoldingChars;
  const isKept = sets.pinned.has(entry.object) && !sets.dismissed.has(entry.object);
  return stands && !isKept && entry.step <= step - keptSteps;
}

/** The decision with these parts as references, and the cut where the first of them stands. */
function folding(
  view: ContextView,
  decision: PromptDecision,
  entries: readonly (ResultEntry | RecalledEntry)[],
): PromptDecision {
  return forming(decision, new Map(entries.map(({ at }) => [at, { form: "reference" }])), view.cache);
}

function forming(decision: PromptDecision, begins: ReadonlyMap<number, PartForm>, reason: string): PromptDecision {
  if (begins.size === 0) return decision;
  const cut = Math.min(decision.fold?.cut ?? Number.POSITIVE_INFINITY, ...begins.keys());
  return { ...decision, forms: { ...decision.forms, ...Object.fromEntries(begins) }, fold: { cut, reason } };
}

type Stage = (view: ContextView, decision: PromptDecision) => PromptDecision;

const windowStages: readonly Stage[] = [
  (view, decision) =>
    folding(
      view,
      decision,
      unpinned(view).filter(({ step }) => step < view.step),
    ),
  (view, decision) => {
    const ends: PartForm = { form: "spans", head: 200, tail: 200 };
    const newest = unpinned(view).filter((entry) => entry.step === view.step && (entry.text?.length ?? 0) > 500);
    return forming(decision, new Map(newest.map(({ at }) => [at, ends])), "window");
  },
  (view, decision) => {
    const pinned = outputsOf(view).filter(({ object, step }) => view.sets.pinned.has(object) && step < view.step);
    const release = [...new Set(pinned.map(({ object }) => object))].sort();
    return release.length === 0 ? decision : { ...folding(view, decision, pinned), release };
  },
  ({ log, turn }, decision) => {
    const old = log.flatMap((entry) =>
      entry.kind === "assistant" && entry.turn < turn ? entry.calls.map((_, call) => `${entry.at}.${call}`) : [],
    );
    const forms = {
      ...decision.forms,
      ...Object.fromEntries(old.map((part): [string, PartForm] => [part, { form: "reference" }])),
    };
    return { ...decision, forms, fold: { cut: 0, reason: "window" } };
  },
];

const unpinned = (view: ContextView): readonly (ResultEntry | RecalledEntry)[] =>
  outputsOf(view).filter(({ object }) => !view.sets.pinned.has(object) || view.sets.dismissed.has(object));

const bytesOf = (view: ContextView, decision: PromptDecision): number =>
  simpleRenderer.render(view, decision).messages.reduce((sum, message) => sum + messageBytes(message), 0);
