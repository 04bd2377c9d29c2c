import { type ContextPolicy, type ContextView, newestResult, type PartForm } from "@cm/context-log";
import { simpleRenderer } from "../policy/simple-renderer.ts";
import { deciding, forming, type PlantedPolicyBug } from "./planted-policy-bug.ts";

export const bugsOfPolicyWishes: readonly PlantedPolicyBug[] = [
  forming("Output is masked one by one, ten steps after it came.", ["POL-030"], ({ log, step }) =>
    Object.fromEntries(
      log
        .filter((entry) => entry.kind === "result" && entry.step === step - 10)
        .map(({ at }): [number, PartForm] => [at, { form: "reference" }]),
    ),
  ),
  deciding("A text is brought back in each request.", ["POL-030", "POL-031", "POL-032"], (decision, view) => {
    const longest = [...view.objects.values()].sort((a, b) => (b.text?.length ?? 0) - (a.text?.length ?? 0))[0];
    const into = newestResult(view.log);
    if (longest?.text == null || into < 0) return decision;
    return { ...decision, recall: [{ object: longest.id, into }], fold: { cut: 0, reason: "planted" } };
  }),
  deciding("What is dismissed stays.", ["POL-040"], (decision, { log, sets }) => {
    const forms = Object.entries(decision.forms ?? {}).filter(([part]) => {
      const entry = log[Number(part)];
      return entry?.kind !== "result" || !sets.dismissed.has(entry.object);
    });
    return { ...decision, forms: Object.fromEntries(forms) };
  }),
  deciding("What is dismissed stays where it is pinned.", ["POL-040"], (decision, { log, sets }) => {
    const forms = Object.entries(decision.forms ?? {}).filter(([part]) => {
      const entry = log[Number(part)];
      return entry?.kind !== "result" || !sets.pinned.has(entry.object);
    });
    return { ...decision, forms: Object.fromEntries(forms) };
  }),
  {
    name: "A fold that has its price leaves what was dismissed.",
    caughtBy: ["POL-042"],
    open: () => ({ policy: foldsAllButDismissed, renderer: simpleRenderer, promises: ["folds"] }),
  },
  deciding("What is asked for never comes back.", ["POL-041"], ({ recall: _, ...decision }) => decision),
  deciding("Any window is taken for a narrow one.", ["POL-050"], (decision, view) =>
    view.window === undefined ? decision : { ...decision, reasons: { window: [] } },
  ),
  deciding("A window is not looked at.", ["POL-051"], (decision) => {
    const { recall } = decision;
    return recall === undefined ? {} : { recall };
  }),
  deciding("A window takes pinned text and says nothing.", ["POL-052"], ({ release: _, ...decision }, view) =>
    view.window === undefined ? decision : { ...decision, forms: { ...decision.forms, ...pinnedFolded(view) } },
  ),
  deciding("Under a window pinned objects leave the active set, and nothing says so.", ["POL-052"], (decision, view) =>
    view.window === undefined ? decision : { ...decision, release: [], deactivate: [...view.sets.pinned].sort() },
  ),
];

/** Folds every tenth request, in a warm cache, too. */
const foldsAllButDismissed: ContextPolicy = {
  contract: "policy/1",
  name: "folds all but what was dismissed",
  decide: ({ log, sets, step, forms }) => {
    if (step % 10 !== 0) return {};
    const old = log.flatMap((entry): [string, PartForm][] => {
      const isOld = entry.kind === "result" && entry.step < step - 2 && !forms.has(`${entry.at}`);
      return isOld && !sets.dismissed.has(entry.object) ? [[`${entry.at}`, { form: "reference" }]] : [];
    });
    return old.length === 0 ? {} : { forms: Object.fromEntries(old), fold: { cut: 0, reason: "planted" } };
  },
};

const pinnedFolded = ({ log, sets, step }: ContextView): Readonly<Record<string, PartForm>> =>
  Object.fromEntries(
    log
      .filter((entry) => entry.kind === "result" && entry.step < step && sets.pinned.has(entry.object))
      .map(({ at }): [number, PartForm] => [at, { form: "reference" }]),
  );
