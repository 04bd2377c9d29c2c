import { type ContextView, type LogEntry, newestResult, type Recall } from "@cm/context-log";
import { deciding, forming, type PlantedPolicyBug } from "./planted-policy-bug.ts";

let calls = 0;
const seenLogs = new WeakSet<readonly LogEntry[]>();

export const bugsOfPolicyDecisions: readonly PlantedPolicyBug[] = [
  deciding("A decision counts how often it was asked for.", ["POL-001"], (decision) => {
    calls += 1;
    return { ...decision, reasons: { [`asked ${calls} times`]: [] } };
  }),
  deciding("What was asked for comes back in the order of the set.", ["POL-002"], (decision, view) => {
    const recall = [...view.sets.requested].filter((id) => typeof view.objects.get(id)?.text === "string");
    const into = newestResult(view.log);
    return recall.length === 0 || into < 0
      ? decision
      : { ...decision, recall: recall.map((object) => ({ object, into })), fold: { cut: 0, reason: "planted" } };
  }),
  deciding("A log that was seen before is decided on in another way.", ["POL-003"], (decision, view) => {
    const isKnown = seenLogs.has(view.log);
    seenLogs.add(view.log);
    return isKnown ? { ...decision, reasons: { "seen before": [] } } : decision;
  }),
  deciding("A look uses up what was asked for.", ["POL-004"], (decision, view) => {
    (view.sets.requested as Set<string>).clear();
    return decision;
  }),
  deciding("A decision names what it does not decide.", ["POL-005"], (decision) => {
    const recall = decision.recall;
    return { ...decision, ...({ recall } as { recall: readonly Recall[] }) };
  }),
  deciding("An unknown object is brought back.", ["POL-006"], (decision) => ({
    ...decision,
    recall: [{ object: "unknown", into: 0 }],
  })),
  deciding("A text is brought back in what the user said.", ["POL-006"], (decision, view) => {
    const known = [...view.objects.values()].find(({ text }) => text !== null);
    return known === undefined ? decision : { ...decision, recall: [{ object: known.id, into: 0 }] };
  }),
  deciding("A pin is released that was never set.", ["POL-006"], (decision) => ({ ...decision, release: ["nobody"] })),
  deciding("A cut lies behind the log.", ["POL-006"], (decision, view) => ({
    ...decision,
    fold: { cut: view.log.length + 1, reason: "planted" },
  })),
  forming("A form is for a part behind the log.", ["POL-006"], (view) => ({
    [view.log.length + 9]: { form: "reference" },
  })),
  forming("A form is for a call that was not made.", ["POL-006"], () => ({ "1.99": { form: "reference" } })),
  forming("A part points at a later one.", ["POL-007"], (view) => {
    const [one, other] = resultsOf(view);
    return one === undefined || other === undefined ? {} : { [one]: { form: "same", as: `${other}` } };
  }),
  forming("A part stands for another one that says something else.", ["POL-008"], (view) => {
    const [one, other] = resultsOf(view);
    return one === undefined || other === undefined ? {} : { [other]: { form: "same", as: `${one}` } };
  }),
  forming("A part points at lines of another one that say something else.", ["POL-008"], (view) => {
    const [one, other] = resultsOf(view);
    if (one === undefined || other === undefined) return {};
    return { [other]: { form: "pointer", runs: [{ line: 0, count: 1, in: `${one}`, from: 0 }] } };
  }),
  forming("A part points at lines of one that is folded along with it.", ["POL-007"], (view) => {
    const [one, other] = resultsOf(view);
    if (one === undefined || other === undefined) return {};
    return {
      [one]: { form: "reference" },
      [other]: { form: "pointer", runs: [{ line: 0, count: 1, in: `${one}`, from: 0 }] },
    };
  }),
  forming("A part points at one that is folded along with it.", ["POL-007"], (view) => {
    const [one, other] = resultsOf(view);
    if (one === undefined || other === undefined) return {};
    return { [one]: { form: "reference" }, [other]: { form: "same", as: `${one}` } };
  }),
];

const resultsOf = ({ log }: ContextView): readonly number[] =>
  log.flatMap(({ kind, at }) => (kind === "result" ? [at] : []));
