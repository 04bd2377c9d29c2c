import {
  appendedEntries,
  type ContextView,
  type LogEntry,
  messageBytes,
  type PartForm,
  type PoolSummary,
  type PromptDecision,
  type PromptMessage,
} from "@cm/object-model";
import { fullForm } from "../log-messages/part-forms.ts";
import { summaryMessage } from "../log-messages/summary.ts";
import { bytesInForms, type KeptBytes, keptBytesOf } from "./kept-bytes.ts";

/** Why the window changed something, as the step records it. */
export type WindowReason =
  | "window: nobody needs it"
  | "window: least recently touched"
  | "window: recall refused"
  | "window: names left out"
  | "window: summary left out"
  | "window: newest output cut"
  | "window: newest output folded"
  | "window: pin released"
  | "window: dialogue compacted";

/** In place of one that stood there. */
const noSummary: PoolSummary = { rows: [] };

/** A decision while it is made to fit: forms are tried out, and what the prompt weighs is known after each. */
export class FittedPrompt {
  readonly view: ContextView;
  readonly #decision: PromptDecision;
  readonly #kept: KeptBytes;
  readonly #forms: Map<string, PartForm>;
  /** What entries weigh that stand in other forms than before. */
  readonly #bytes = new Map<number, number>();
  readonly #reasons = new Map<string, string[]>();
  /** The first entry that stood in the request before and changes. */
  #cut = Number.POSITIVE_INFINITY;
  #recall: readonly string[];
  #release: readonly string[] = [];
  #appended: readonly LogEntry[] = [];
  #appendedBytes = 0;
  #isSummaryLeftOut = false;
  #changedBytes = 0;

  constructor(view: ContextView, decision: PromptDecision) {
    this.view = view;
    this.#decision = decision;
    this.#kept = keptBytesOf(view);
    this.#forms = new Map(Object.entries(decision.forms ?? {}));
    this.#recall = decision.recall ?? [];
    for (const part of this.#forms.keys()) this.#weigh(placeOf(part));
    this.#append();
  }

  /** Of all messages, as they would be rendered now. */
  get bytes(): number {
    const top = this.#top;
    return this.#kept.total + this.#changedBytes + this.#appendedBytes + (top === undefined ? 0 : messageBytes(top));
  }

  get recall(): readonly string[] {
    return this.#recall;
  }

  /** What this request appends. */
  get appended(): readonly LogEntry[] {
    return this.#appended;
  }

  formOf(part: string): PartForm {
    return this.#forms.get(part) ?? this.view.forms.get(part) ?? fullForm;
  }

  /** The forms that are another than full, in no order. */
  *forms(): Generator<readonly [string, PartForm]> {
    for (const [part, form] of this.view.forms) if (!this.#forms.has(part)) yield [part, form];
    yield* this.#forms;
  }

  entryAt(place: number): LogEntry | undefined {
    return this.view.log[place] ?? this.#appended[place - this.view.log.length];
  }

  bytesAt(place: number): number {
    const entry = this.entryAt(place);
    return entry === undefined ? 0 : bytesInForms(this.view, entry, (part) => this.formOf(part));
  }

  /** Takes a form where that makes the prompt lighter. Returns by how much. */
  shrink(part: string, form: PartForm, reason: WindowReason): number {
    const before = this.bytes;
    const known = this.#forms.get(part);
    this.#forms.set(part, form);
    this.#weigh(placeOf(part));
    const saved = before - this.bytes;
    if (saved > 0) {
      this.#because(reason, part);
      const entry = this.view.log[placeOf(part)];
      if (entry !== undefined && entry.step < this.view.step) this.#cut = Math.min(this.#cut, entry.at);
      return saved;
    }
    if (known === undefined) this.#forms.delete(part);
    else this.#forms.set(part, known);
    this.#weigh(placeOf(part));
    return 0;
  }

  /** Before any recalled text takes another form: they are named by their places. */
  refuseRecall(object: string): void {
    this.#recall = this.#recall.filter((id) => id !== object);
    this.#because("window: recall refused", object);
    this.#append();
  }

  leaveOutSummary(): void {
    if (this.#top === undefined) return;
    this.#isSummaryLeftOut = true;
    if (this.view.summary !== undefined) this.#cut = 0;
    this.#because("window: summary left out", "summary");
  }

  release(object: string): void {
    this.#release = [...this.#release, object];
    this.#because("window: pin released", object);
    this.#append();
  }

  get decision(): PromptDecision {
    const { forms: _forms, recall: _recall, summary, fold, reasons, ...rest } = this.#decision;
    const top = this.#isSummaryLeftOut ? this.view.summary && noSummary : summary;
    const cut = Math.min(this.#cut, fold?.cut ?? Number.POSITIVE_INFINITY);
    const isForced = this.#cut !== Number.POSITIVE_INFINITY;
    return {
      ...rest,
      ...(top === undefined ? {} : { summary: top }),
      ...(this.#forms.size === 0 ? {} : { forms: Object.fromEntries(this.#forms) }),
      ...(this.#recall.length === 0 ? {} : { recall: this.#recall }),
      ...(this.#release.length === 0 ? {} : { release: this.#release }),
      ...(isForced ? { fold: { cut, reason: "window" } } : fold === undefined ? {} : { fold }),
      reasons: { ...reasons, ...Object.fromEntries(this.#reasons) },
    };
  }

  get #top(): PromptMessage | undefined {
    return this.#isSummaryLeftOut ? undefined : summaryMessage(this.#decision.summary ?? this.view.summary);
  }

  #weigh(place: number): void {
    const { length } = this.view.log;
    if (place >= length) {
      this.#weighAppended();
      return;
    }
    const bytes = this.bytesAt(place);
    this.#changedBytes += bytes - (this.#bytes.get(place) ?? this.#kept.at(place));
    this.#bytes.set(place, bytes);
  }

  #append(): void {
    this.#appended = appendedEntries(this.view, { recall: this.#recall, release: this.#release });
    this.#weighAppended();
  }

  #weighAppended(): void {
    const formOf = (part: string): PartForm => this.formOf(part);
    this.#appendedBytes = this.#appended.reduce((sum, entry) => sum + bytesInForms(this.view, entry, formOf), 0);
  }

  #because(reason: WindowReason, named: string): void {
    const all = this.#reasons.get(reason) ?? [];
    this.#reasons.set(reason, all);
    if (!all.includes(named)) all.push(named);
  }
}

export const placeOf = (part: string): number => Number.parseInt(part, 10);
