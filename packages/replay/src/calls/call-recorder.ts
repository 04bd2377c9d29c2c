import type { ContextView, PromptDecision, RenderedPrompt } from "@cm/context-log";
import { defined, nonEmpty } from "@cm/object-model";
import { PartLives, type Rewritten } from "../measure/part-lives.ts";
import { ResidentSums } from "../measure/resident.ts";
import { type MeasuredCall, SessionMeasure, type SessionMeasureOptions } from "../measure/session-measure.ts";
import type { CallFigures, PartLife, RunTotals } from "../results/run-result.ts";
import { LogPlaces } from "./log-places.ts";
import type { ModelCall } from "./model-calls.ts";

export interface ReplayFigures {
  readonly calls: readonly CallFigures[];
  readonly parts: readonly PartLife[];
  readonly totals: RunTotals;
}

/** Makes the figures of a replay. For each call in order: `request` when its prompt is made, `recorded` when its step is. */
export class CallRecorder {
  readonly #measure: SessionMeasure;
  readonly #lives = new PartLives();
  readonly #resident = new ResidentSums();
  readonly #places = new LogPlaces();
  readonly #calls: CallFigures[] = [];
  #request: MeasuredCall | undefined;
  #missed: NonNullable<CallFigures["missed"]> = [];

  constructor(options: SessionMeasureOptions) {
    this.#measure = new SessionMeasure(options);
  }

  get figures(): ReplayFigures {
    return { calls: this.#calls, parts: this.#lives.lives, totals: this.#measure.totals() };
  }

  request(
    { before, answer }: ModelCall,
    {
      prompt,
      cache,
      log,
    }: Pick<ContextView, "cache"> & {
      readonly prompt: RenderedPrompt;
      /** Asked for where something is missed. */
      readonly log: () => ContextView["log"];
    },
  ): void {
    for (const event of before) this.#measure.add(event);
    this.#request = this.#measure.request({ prompt, answer, cache });
    const { missed } = this.#request;
    const entries = missed.length === 0 ? [] : log();
    this.#missed = missed.map(({ line, place, file }) => ({
      line,
      ...defined({ file, part: this.#places.partOf(entries, place, line) }),
    }));
  }

  recorded(
    { answer, results }: ModelCall,
    {
      decision,
      view,
      ...times
    }: Pick<CallFigures, "assembleMs" | "recordMs"> & {
      readonly decision: PromptDecision;
      readonly view: Pick<ContextView, "log" | "forms" | "objects">;
    },
  ): void {
    for (const event of [answer, ...results]) this.#measure.add(event);
    if (this.#request === undefined) return;
    const { missed: _lines, change, ...cost } = this.#request;
    const call = this.#calls.length;
    const rewritten = this.#lives.request({ call, change, view, decision });
    this.#calls.push({
      call,
      ...cost,
      resident: this.#resident.request(change),
      ...decidedFigures(decision, rewritten, view),
      ...nonEmpty({ missed: this.#missed }),
      ...times,
    });
  }
}

/** A policy's decision for one request. */
function decidedFigures(
  decision: PromptDecision,
  rewritten: Rewritten,
  { objects }: Pick<ContextView, "objects">,
): Pick<CallFigures, "fold" | "reasons" | "recalled"> {
  const { fold, reasons = {}, recall = [] } = decision;
  const counts = Object.entries(reasons).map(([reason, parts]) => [reason, parts.length] as const);
  const names = recall.map(({ object }) => {
    const { alias, path, tool } = objects.get(object) ?? {};
    return [alias ?? object, path ?? tool].filter((name) => name !== undefined).join(" ");
  });
  return {
    ...defined({ fold: fold && { ...fold, ...rewritten } }),
    ...(counts.length === 0 ? {} : { reasons: Object.fromEntries(counts) }),
    ...nonEmpty({ recalled: names }),
  };
}
