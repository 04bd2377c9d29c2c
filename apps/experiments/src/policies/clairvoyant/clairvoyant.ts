import {
  type ContextPolicy,
  type ContextView,
  newestResult,
  type PartForm,
  type Prices,
  type PromptDecision,
  type PromptMessage,
  type Recall,
  type ViewObject,
} from "@cm/context-log";
import { defined, nonEmpty } from "@cm/object-model";
import type { Recording } from "@cm/recordings";
import { logLayout, spansOf } from "@cm/render";
import { arrivalForms, dependentParts, withDependents } from "../arrival-forms.ts";
import { type Forms, messagesByEntry, type OpenEntry, openEntries } from "../part-sizes.ts";
import { bestCut } from "./cut.ts";
import { type Future, futureOf } from "./future.ts";
import { FutureView } from "./future-view.ts";
import { type KeptWords, wordsKept } from "./kept-words.ts";
import { retainedEntries } from "./retained-entries.ts";

/** The newest call stays whole: who knows the future need not look twice. */
const wholeCalls = 1;

/** The line above a recalled text, and its later rest. */
const headerChars = 80;

/** The context log's machinery with knowledge of the whole recording. */
export function clairvoyantPolicy(recording: Pick<Recording, "events">): ContextPolicy {
  const future = futureOf(recording);
  const sight = new FutureView(future);
  return {
    contract: "policy/1",
    name: "clairvoyant",
    decide: (view, prices) => new Decision(view, prices, { future, sight }).made(),
  };
}

/** One request's decision. */
class Decision {
  readonly #view: ContextView;
  readonly #prices: Prices;
  readonly #future: Future;
  readonly #sight: FutureView;
  readonly #begins: Forms;
  readonly #dependents: ReadonlyMap<string, readonly string[]>;
  readonly #messages: ReadonlyMap<number, PromptMessage>;
  readonly #open: readonly OpenEntry[];

  constructor(view: ContextView, prices: Prices, known: { readonly future: Future; readonly sight: FutureView }) {
    this.#view = view;
    this.#prices = prices;
    this.#future = known.future;
    this.#sight = known.sight;
    this.#begins = arrivalForms(view, prices);
    this.#dependents = dependentParts(view, this.#begins);
    this.#messages = messagesByEntry(logLayout.render(view, { forms: this.#begins }).messages);
    this.#open = openEntries(view, logLayout, this.#begins);
  }

  made(): PromptDecision {
    const recall = this.#recalls();
    const dead = this.#dead();
    const cut = this.#view.cache === "cold" ? dead[0]?.at : this.#cut(dead);
    const forms = { ...this.#begins, ...(cut === undefined ? {} : this.#folds(dead.filter(({ at }) => at >= cut))) };
    return {
      ...(Object.keys(forms).length === 0 ? {} : { forms }),
      ...nonEmpty({ recall }),
      ...defined({
        fold: cut === undefined ? undefined : { cut, reason: this.#view.cache === "cold" ? "cold" : "known" },
      }),
    };
  }

  /** Texts that the next edit replaces and that are out of view, and texts requested by the agent. */
  #recalls(): readonly Recall[] {
    const { requested } = this.#view.sets;
    const recalls = new Set([...requested].filter((id) => typeof this.#view.objects.get(id)?.text === "string").sort());
    const inView = new Set([...this.#messages.values()].flatMap((message) => this.#sight.linesIn(message)));
    for (const [line, calls] of this.#future.lines) {
      if (!calls.includes(this.#view.step) || inView.has(line)) continue;
      const object = shortestWith(this.#view, line);
      if (object !== undefined) recalls.add(object);
    }
    const into = newestResult(this.#view.log);
    return into < 0 ? [] : [...recalls].map((object) => ({ object, into }));
  }

  #dead(): readonly OpenEntry[] {
    const living = retainedEntries({
      step: this.#view.step,
      future: this.#future,
      sight: this.#sight,
      messages: this.#messages,
      open: this.#open,
      isWorthFetching: (entry, call) => this.#fetchGain(entry, call) > 0,
    });
    const stays = (by: string): boolean => living.has(Number.parseInt(by, 10)) || this.#isNew(Number.parseInt(by, 10));
    const isHeld = (part: string): boolean => this.#dependents.get(part)?.some(stays) === true;
    return this.#open.filter((entry) => !living.has(entry.at) && this.#mayFold(entry) && !entry.parts.some(isHeld));
  }

  /** The savings of folding an entry now and recalling its text for a call, instead of carrying it. */
  #fetchGain({ kind, chars, saves }: OpenEntry, call: number): number {
    if (kind === "assistant") return Number.NEGATIVE_INFINITY;
    return this.#prices.read * saves * (call - this.#view.step) - this.#prices.write * (chars + headerChars);
  }

  /** To the end, or until it is brought back. */
  #worth(entry: OpenEntry): number {
    const message = this.#messages.get(entry.at);
    const calls =
      message === undefined ? [] : this.#sight.linesIn(message).flatMap((line) => this.#nextCall(line) ?? []);
    const next = Math.min(...calls);
    if (Number.isFinite(next)) return Math.max(0, this.#fetchGain(entry, next));
    return this.#prices.read * entry.saves * (this.#future.calls - this.#view.step);
  }

  #nextCall(line: string): number | undefined {
    return this.#future.lines.get(line)?.find((call) => call >= this.#view.step);
  }

  #isNew(at: number): boolean {
    return this.#view.step - (this.#view.log[at]?.step ?? 0) < wholeCalls;
  }

  /** SSOT 4.4 (5): arguments of the current turn are never folded. */
  #mayFold({ at, turn, kind }: OpenEntry): boolean {
    return !this.#isNew(at) && (kind !== "assistant" || turn < this.#view.turn);
  }

  #cut(dead: readonly OpenEntry[]): number | undefined {
    let chars = 0;
    const from = new Map<number, number>();
    for (const [at, message] of [...this.#messages].reverse()) {
      if ((this.#view.log[at]?.step ?? 0) < this.#view.step) chars += message.chars;
      from.set(at, chars);
    }
    const [prices, worth] = [this.#prices, (entry: OpenEntry) => this.#worth(entry)];
    return bestCut({ prices, dead, worth, sentFrom: (at) => from.get(at) ?? 0 });
  }

  /** References, each with the words that later calls write and that stand nowhere else in view. */
  #folds(dead: readonly OpenEntry[]): Forms {
    const places = new Set(dead.map(({ at }) => at));
    const inView = new Set<string>();
    for (const [at, message] of this.#messages) {
      if (!places.has(at)) for (const name of this.#sight.namesIn(message)) inView.add(name);
    }
    const forms: Record<string, PartForm> = {};
    for (const entry of dead.toReversed()) {
      const names = entry.kind === "assistant" ? [] : this.#namesOnlyIn(entry, inView);
      const kept = wordsKept(this.#textOf(entry), names);
      for (const name of names) inView.add(name);
      if (kept.chars < entry.saves)
        for (const part of entry.parts) forms[part] = referenceWith(kept, this.#textOf(entry));
    }
    return withDependents(forms, this.#dependents);
  }

  #textOf({ at }: OpenEntry): string {
    const entry = this.#view.log[at];
    return entry?.kind === "result" ? (entry.text ?? "") : "";
  }

  #namesOnlyIn({ at }: OpenEntry, inView: ReadonlySet<string>): readonly string[] {
    const message = this.#messages.get(at);
    if (message === undefined) return [];
    const isNeeded = (name: string): boolean => (this.#future.names.get(name) ?? -1) >= this.#view.step;
    return this.#sight.namesIn(message).filter((name) => isNeeded(name) && !inView.has(name));
  }
}

/** The shortest output that shows a line: cheapest to bring back. */
function shortestWith(view: ContextView, line: string): string | undefined {
  const holders = [...view.objects.values()].filter(({ kind, text }) => kind === "toolcall" && text?.includes(line));
  return holders.reduce<ViewObject | undefined>(
    (best, object) => ((object.text?.length ?? 0) < (best?.text?.length ?? Number.POSITIVE_INFINITY) ? object : best),
    undefined,
  )?.id;
}

function referenceWith({ lines, names }: KeptWords, text: string): PartForm {
  return {
    form: "reference",
    ...(names.length === 0 ? {} : { names: spansOf(text, names) }),
    ...(lines.length === 0 ? {} : { lines: spansOf(text, lines) }),
  };
}
