import {
  AskedCalls,
  type ContextView,
  type LogEntry,
  type LogTable,
  type PromptDecision,
  type ResultEntry,
  rangesOf,
  viewAfterOmission,
} from "@cm/context-log";
import { logPlaces } from "../../layouts/log/log-places.ts";

/** Results that stand although the call of each has left the prompt. */
class LateResults {
  readonly #calls = new AskedCalls();
  #hasLeft = false;
  readonly all: ResultEntry[] = [];

  read(entry: LogEntry | undefined): void {
    if (entry?.kind === "omitted") this.#hasLeft ||= entry.was === "assistant";
    else if (entry?.kind === "assistant") this.#calls.ask(entry);
    else if (entry?.kind === "result" && this.#calls.answer(entry) === undefined && this.#hasLeft) this.all.push(entry);
  }
}

const lateResults: LogTable<LateResults> = {
  name: "late results",
  create: () => new LateResults(),
  update: (facts, { log }, { from, to }) => {
    for (let at = from; at < to; at += 1) facts.read(log[at]);
  },
};

/**
 * A result whose call left a full window before it came leaves with the first request that it would stand in, since
 * providers take no result without its call. Its output is brought back there as one that was asked for.
 */
export function besideLateResults(view: ContextView, decide: (view: ContextView) => PromptDecision): PromptDecision {
  const late = view.index.table(lateResults, view).all;
  if (late.length === 0) return decide(view);
  const places = late.map(({ at }) => at);
  const { view: left } = viewAfterOmission(view, { omit: rangesOf(view.log, places) });
  const came = late.flatMap(({ step, text, object }) => (step === view.step && text !== null ? [object] : []));
  const requested = new Set([...view.sets.requested, ...came]);
  const { omit = [], fold, ...decision } = decide({ ...left, sets: { ...view.sets, requested } });
  const all = [...omit.flatMap(([from, to]) => view.log.slice(from, to).map(({ at }) => at)), ...places];
  const line = logPlaces(view).omitted.place;
  const sent = places.filter((at) => (view.log[at]?.step ?? view.step) < view.step);
  const cut = Math.min(...[fold?.cut ?? [], line ?? [], sent].flat());
  return {
    ...decision,
    ...(Number.isFinite(cut) ? { fold: { reason: "window", ...fold, cut } } : {}),
    omit: rangesOf(view.log, all),
  };
}
