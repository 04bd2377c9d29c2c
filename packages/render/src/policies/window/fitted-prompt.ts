import {
  appendedEntries,
  basesOf,
  type ContextView,
  type LogEntry,
  type NoteEntry,
  newestResult,
  type PartForm,
  type PromptDecision,
  placeOfPart,
  type Recall,
  rangesOf,
  resultPart,
} from "@cm/context-log";
import { nonEmpty } from "@cm/object-model";
import { escapeForeign } from "@cm/prompt-grammar";
import { partsOfEntry } from "../../layouts/log/log-messages.ts";
import { fullForm, logPlaces, messagePlace } from "../../layouts/log/log-places.ts";
import { returningReminders } from "../../layouts/log/shorter-output.ts";
import { bytesInForms, type EntryBytes, entryBytesOf, pinnableObjects } from "../log-index/fold-candidates.ts";
import { partsOf } from "../log-index/log-parts.ts";
import { lineBytesMax } from "./omit-earlier.ts";

/** Why the window changed something, as the step records it. */
export type WindowReason =
  | "window: expired"
  | "window: least recently touched"
  | "window: recall refused"
  | "window: names left out"
  | "window: newest output cut"
  | "window: newest output folded"
  | "window: pin released"
  | "window: dialogue compacted"
  | "window: earlier turns left out"
  | "window: no room for protected text";

const reference: PartForm = { form: "reference" };

/** A decision while it is made to fit: forms are tried out, and what the prompt weighs is known after each. */
export class FittedPrompt {
  readonly view: ContextView;
  readonly #decision: PromptDecision;
  readonly #kept: EntryBytes;
  readonly #forms: Map<string, PartForm>;
  /** What entries weigh that stand in other forms than before. */
  readonly #bytes = new Map<number, number>();
  readonly #reasons = new Map<string, string[]>();
  /** The first entry that stood in the request before and changes. */
  #cut = Number.POSITIVE_INFINITY;
  #recall: readonly Recall[];
  #release: readonly string[] = [];
  #appended: readonly NoteEntry[] = [];
  #appendedBytes = 0;
  /** Parts that are the last to give way. */
  #protected: ReadonlySet<string> = new Set();
  #isProtecting = false;
  #changedBytes = 0;
  readonly #omitted = new Set<number>();
  /** Of reminders that stand in other results again, since those that showed them first leave. */
  #returningBytes = 0;
  /** The parts that pointed at a part when they were asked for first: no other ones begin to while it is made to fit. */
  #pointing: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(view: ContextView, decision: PromptDecision) {
    this.view = view;
    this.#decision = decision;
    this.#kept = entryBytesOf(view);
    this.#forms = new Map(Object.entries(decision.forms ?? {}));
    this.#recall = decision.recall ?? [];
    for (const part of this.#forms.keys()) this.#weigh(placeOfPart(part));
    this.#append();
  }

  /** Of all messages, as they would be rendered now. */
  get bytes(): number {
    const lineBytes = this.#omitted.size === 0 ? 0 : lineBytesMax;
    return this.#kept.total + this.#changedBytes + this.#appendedBytes + lineBytes + this.#returningBytes;
  }

  /** The parts whose forms begin with this request. */
  get decided(): Iterable<string> {
    return this.#forms.keys();
  }

  get recall(): readonly Recall[] {
    return this.#recall;
  }

  /** What this request appends. */
  get appended(): readonly NoteEntry[] {
    return this.#appended;
  }

  protect(parts: ReadonlySet<string>): void {
    this.#protected = parts;
    this.#isProtecting = parts.size > 0;
  }

  /** What was protected is like all others from now on; reasons still name it. */
  liftProtection(): void {
    this.#isProtecting = false;
  }

  get isProtecting(): boolean {
    return this.#isProtecting;
  }

  isProtected(part: string): boolean {
    return this.#isProtecting && this.#protected.has(part);
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
    return entry === undefined || this.#omitted.has(place)
      ? 0
      : bytesInForms(this.view, entry, (part) => this.formOf(part));
  }

  /**
   * Takes a form in which not all of the text stands, where that makes the prompt lighter; what points at the text becomes
   * a reference along with it. Returns by how much.
   */
  shrink(part: string, form: PartForm, reason: WindowReason): number {
    const before = this.bytes;
    const forms = new Map([[part, form], ...this.#pointingThrough(part).map((one) => [one, reference] as const)]);
    const known = new Map([...forms.keys()].map((one) => [one, this.#forms.get(one)]));
    this.#take(forms);
    const saved = before - this.bytes;
    if (saved <= 0) {
      this.#take(known);
      return 0;
    }
    for (const one of forms.keys()) {
      this.#because(this.#protected.has(one) ? "window: no room for protected text" : reason, one);
      const entry = this.view.log[placeOfPart(one)];
      if (entry !== undefined && entry.step < this.view.step) this.#rewrite(messagePlace(this.view.log, one));
    }
    return saved;
  }

  #take(forms: ReadonlyMap<string, PartForm | undefined>): void {
    for (const [part, form] of forms) {
      if (form === undefined) this.#forms.delete(part);
      else this.#forms.set(part, form);
      this.#weigh(placeOfPart(part));
    }
  }

  /** The parts that stand and say that text stands in this one. */
  pointingAt(part: string): readonly string[] {
    this.#pointing ??= pointingIn(this.forms());
    const all = this.#pointing.get(part) ?? [];
    return all.filter((one) => !this.#omitted.has(placeOfPart(one)) && basesOf(this.formOf(one)).includes(part));
  }

  /** With what points at those. */
  #pointingThrough(part: string): readonly string[] {
    return this.pointingAt(part).flatMap((one) => [one, ...this.#pointingThrough(one)]);
  }

  /** What is pinned and stands as text at these places or in notes there. */
  pinnedAt(places: readonly number[]): readonly string[] {
    if (this.view.sets.pinned.size === 0) return [];
    const parts = this.#withNotes(places).flatMap((place) => partsOf(this.view).partsAt(place));
    return parts
      .filter(({ key, at }) => !this.#omitted.has(at) && this.formOf(key).form !== "reference")
      .flatMap((part) => pinnableObjects(this.view, part))
      .filter((id) => this.isPinned(id));
  }

  isPinned(object: string): boolean {
    return this.view.sets.pinned.has(object) && !this.#release.includes(object);
  }

  isOmitted(place: number): boolean {
    return this.#omitted.has(place);
  }

  /** Takes messages out of the prompt, with the notes in them; not those at whose end this request tells something. */
  omit(places: readonly number[]): void {
    if (places.some((place) => this.#isTold(place))) return;
    const { log } = this.view;
    // At the end of the newest result it would be told, and that leaves here.
    if (!places.includes(newestResult(log))) for (const object of new Set(this.pinnedAt(places))) this.release(object);
    for (const place of this.#withNotes(places)) {
      this.#omitted.add(place);
      const entry = log[place];
      if (entry === undefined) continue;
      for (const part of [`${place}`, ...partsOfEntry(entry)]) this.#forms.delete(part);
      this.#weigh(place);
      if (entry.step < this.view.step) this.#rewrite(messagePlace(log, `${place}`));
    }
    // The line about what left before stands behind this, too, from now on.
    const { place: line } = logPlaces(this.view).omitted;
    if (line !== undefined) this.#rewrite(line);
    this.#because("window: earlier turns left out", `${places[0]}`);
  }

  #withNotes(places: readonly number[]): readonly number[] {
    return places.flatMap((place) => [
      place,
      ...logPlaces(this.view)
        .notesInto(place)
        .map(({ at }) => at),
    ]);
  }

  /** What points at messages that left the prompt becomes a reference; a reminder that only they showed stands elsewhere again. */
  foldPointing(): void {
    const { log } = this.view;
    for (const [part, form] of this.#omitted.size === 0 ? [] : [...this.forms()]) {
      const isOpen = basesOf(form).some((base) => this.#omitted.has(placeOfPart(base)));
      if (!isOpen || this.#omitted.has(placeOfPart(part))) continue;
      this.#forms.set(part, reference);
      this.#weigh(placeOfPart(part));
      this.#rewrite(messagePlace(log, part));
      this.#because("window: earlier turns left out", part);
    }
    this.#returningBytes = 0;
    if (this.#omitted.size === 0) return;
    for (const { place, reminder } of returningReminders(this.view, (at) => this.#omitted.has(at))) {
      const { form } = this.formOf(resultPart(place));
      if (form === "sparse" || form === "pointer") this.#returningBytes += Buffer.byteLength(escapeForeign(reminder));
    }
  }

  /** Whether this request tells something at the end of it. */
  #isTold(place: number): boolean {
    return this.#appended.some(({ into }) => into === place);
  }

  /** Before any recalled text takes another form: they are named by their places. */
  refuseRecall(recall: Recall): void {
    this.#recall = this.#recall.filter((one) => one !== recall);
    this.#because("window: recall refused", recall.object);
    this.#append();
  }

  /** Its parts are like all others from now on. */
  release(object: string): void {
    this.#release = [...this.#release, object];
    this.#because("window: pin released", object);
    this.#append();
  }

  get decision(): PromptDecision {
    const { forms: _forms, recall: _recall, fold, reasons, ...rest } = this.#decision;
    const cut = Math.min(this.#cut, fold?.cut ?? Number.POSITIVE_INFINITY);
    const isForced = this.#cut !== Number.POSITIVE_INFINITY;
    return {
      ...rest,
      ...(this.#forms.size === 0 ? {} : { forms: Object.fromEntries(this.#forms) }),
      ...nonEmpty({
        recall: this.#recall,
        release: this.#release,
        omit: rangesOf(this.view.log, this.#omitted),
      }),
      ...(isForced ? { fold: { cut, reason: "window" } } : fold === undefined ? {} : { fold }),
      reasons: { ...reasons, ...Object.fromEntries(this.#reasons) },
    };
  }

  #rewrite(place: number): void {
    this.#cut = Math.min(this.#cut, place);
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
    for (const { into } of this.#appended) {
      if ((this.view.log[into]?.step ?? this.view.step) < this.view.step) this.#rewrite(into);
    }
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

/** By part, the later parts that point at it: whatever a policy says, none goes in a circle. */
function pointingIn(forms: Iterable<readonly [string, PartForm]>): ReadonlyMap<string, readonly string[]> {
  const pointing = new Map<string, string[]>();
  for (const [part, form] of forms)
    for (const base of basesOf(form))
      if (placeOfPart(base) < placeOfPart(part)) pointing.set(base, [...(pointing.get(base) ?? []), part]);
  return pointing;
}
