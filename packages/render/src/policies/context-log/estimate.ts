import { basesOf, type ContextView, type PartForm } from "@cm/context-log";
import type { ClockOf } from "../log-index/candidate-rows.ts";
import { charsIn, type FoldCandidates, foldCandidates } from "../log-index/fold-candidates.ts";
import { type LogParts, partsOf } from "../log-index/log-parts.ts";
import { isReadText, type Part } from "../log-index/part.ts";
import type { ProtectedParts } from "../protection.ts";
import type { ContextLogConstants } from "./constants.ts";
import { type IsBound, retained, retainWithinBudget } from "./retention.ts";

/** A part that may be folded: how it stands in the prompt that was sent last, and whether it is retained. */
export interface FoldCandidate {
  readonly part: Part;
  readonly form: PartForm | undefined;
  readonly chars: number;
  /** Characters of the prompt before it. */
  readonly before: number;
  /** How far the clock has run, as a share of its limit. */
  readonly run: number;
  /** The step at which the clock runs down, which may lie ahead. */
  readonly clockEndsAt: number;
  /** The step since which it is expired; infinite while it is retained. */
  readonly expiredAt: number;
  /** Neither pinned, nor pointed at by a retained part, nor bound: a fold behind whose cut it stands may take it along. */
  readonly isFree: boolean;
  /** A person wants it to stay in full: only a window may fold it. */
  readonly isProtected: boolean;
}

export const isExpired = ({ expiredAt }: FoldCandidate): boolean => expiredAt !== retained;

/** What of a policy's settings says how long text is retained. */
export interface EstimateSettings {
  readonly constants: ContextLogConstants;
  readonly protection: ProtectedParts;
  readonly foldsNow: boolean;
  readonly clockOf: ClockOf;
  readonly stages: { readonly isBound: IsBound };
}

export interface EstimateOptions {
  /** Forms of parts that are new in this request. */
  readonly begins: ReadonlyMap<string, PartForm>;
  readonly settings: EstimateSettings;
}

/** Measures the log and says what of it is expired: by its clock, unless the budget, a pin or what points at it retains it. */
export function promptEstimate(view: ContextView, log: LogParts, options: EstimateOptions): PromptEstimate {
  const sent = foldCandidates(view);
  sent.rows.updateClocks(log, options.settings.clockOf);
  return new PromptEstimate(view, log, { ...options, sent, begun: begunParts(view, sent, options.begins) });
}

interface EstimateFacts extends EstimateOptions {
  readonly sent: FoldCandidates;
  readonly begun: readonly PartialPart[];
}

/**
 * The prompt as it would be without a fold, and the parts of it that may be folded, in order of the log. There are
 * thousands late in a session and most requests fold none, so that they are rows of numbers until one is asked for.
 */
export class PromptEstimate {
  readonly chars: number;
  /** Characters of the parts that were sent before; what follows is new and is written anyway. */
  readonly sentChars: number;
  readonly #view: ContextView;
  readonly #log: LogParts;
  readonly #facts: EstimateFacts;
  readonly #chars: readonly number[];
  readonly #expiredAt: number[];
  /** Parts that are retained whatever their clock says. */
  readonly #held = new Set<number>();
  #candidates: readonly FoldCandidate[] | undefined;

  constructor(view: ContextView, log: LogParts, facts: EstimateFacts) {
    const { sent, begun } = facts;
    this.#view = view;
    this.#log = log;
    this.#facts = facts;
    this.#chars = currentChars(sent, begun);
    this.#expiredAt = this.#clocks();
    this.#applySets();
    this.#applyBudget();
    this.chars = log.chars - begun.reduce((sum, { saves }) => sum + saves, sent.saved);
    this.sentChars = this.chars - (log.charsSince(view.step) - savedSince(view, log, facts));
  }

  get candidates(): readonly FoldCandidate[] {
    this.#candidates ??= this.#expiredAt.map((_, index) => this.#candidate(index));
    return this.#candidates;
  }

  /** Those of more characters, the newest first. */
  *expired(charsMin = 0): Generator<FoldCandidate> {
    for (let index = this.#expiredAt.length - 1; index >= 0; index -= 1)
      if (this.#expiredAt[index] !== retained && (this.#chars[index] ?? 0) > charsMin) yield this.#candidate(index);
  }

  #clocks(): number[] {
    const { step } = this.#view;
    const { rows } = this.#facts.sent;
    const { foldsNow, constants } = this.#facts.settings;
    const expiredAt = rows.expiredAt.slice();
    for (let index = 0; index < rows.length; index += 1) {
      const clock = expiredAt[index] ?? retained;
      const expiresAt = foldsNow ? Math.min(clock, (rows.steps[index] ?? 0) + constants.wholeSteps) : clock;
      expiredAt[index] = expiresAt <= step && !this.#isBound(index) ? expiresAt : retained;
    }
    return expiredAt;
  }

  #isBound(index: number): boolean {
    const { rows } = this.#facts.sent;
    const { stages, constants } = this.#facts.settings;
    // Asked of arguments alone: late in a session most candidates are short results, at whose parts nothing looks then.
    return rows.isArgs[index] === true && stages.isBound(this.#part(index), this.#view, constants);
  }

  /** Protected and pinned parts are retained, dismissed ones expired (SSOT 4.4 (7)); what a retained part points at stays with it. */
  #applySets(): void {
    const { rows } = this.#facts.sent;
    const pointedAt = new Set<number>();
    for (let index = rows.length - 1; index >= 0; index -= 1) {
      if (this.#isProtected(index)) this.#keep(index);
      else if (this.#isMember("dismissed", index)) {
        // It counts as expired since it could be, so that its rent is never less than without the wish. Even then the newest
        // calls stay whole, with what they refer to.
        const since = (rows.steps[index] ?? 0) + this.#facts.settings.constants.wholeSteps;
        this.#expiredAt[index] = since <= this.#view.step && !pointedAt.has(index) ? since : retained;
      } else if (pointedAt.has(index) || this.#isMember("pinned", index)) this.#keep(index);
      if (this.#expiredAt[index] === retained) this.#hold(index, pointedAt);
    }
  }

  #keep(index: number): void {
    this.#expiredAt[index] = retained;
    this.#held.add(index);
  }

  #hold(index: number, pointedAt: Set<number>): void {
    const form = this.#form(index);
    const { sent } = this.#facts;
    for (const base of form === undefined ? [] : basesOf(form)) {
      const place = sent.placeOf(base);
      const at = place === undefined ? -1 : sent.rows.indexOf(place);
      if (at >= 0 && sent.rows.places[at] === place) pointedAt.add(at);
    }
  }

  #applyBudget(): void {
    const { settings, sent } = this.#facts;
    const { rows } = sent;
    const { isFileText, steps, length } = rows;
    retainWithinBudget(
      { length, isFileText, steps, chars: this.#chars, expiredAt: this.#expiredAt },
      {
        budgetChars: settings.constants.retentionBudget * this.#log.plainChars,
        rankOf: (index) => this.#rankOf(index),
        mayRetain: (index) => !settings.foldsNow && !this.#isMember("dismissed", index),
      },
    );
  }

  /** How far a part is overdue for what it costs to keep it: short parts and files of a plan are retained rather. */
  #rankOf(index: number): number {
    const { charsPerRun, partnerShare } = this.#facts.settings.constants;
    const file = this.#facts.sent.rows.files[index] ?? -1;
    const partners = file < 0 ? 0 : this.#log.coEdits.partnerCount(file);
    return (this.#runOf(index) * (1 + (this.#chars[index] ?? 0) / charsPerRun)) / (1 + partnerShare * partners);
  }

  /** How far a clock has run, as a share of its limit. */
  #runOf(index: number): number {
    const { setAt, limit } = this.#facts.sent.rows;
    return (this.#view.step - (setAt[index] ?? 0)) / (limit[index] ?? 1);
  }

  #candidate(index: number): FoldCandidate {
    const { rows } = this.#facts.sent;
    const { step } = this.#view;
    const part = this.#part(index);
    return {
      part,
      form: this.#form(index),
      chars: this.#chars[index] ?? 0,
      before: (rows.before[index] ?? 0) - this.#begunBefore(rows.places[index] ?? 0),
      run: this.#runOf(index),
      clockEndsAt: rows.expiredAt[index] ?? 0,
      expiredAt: this.#expiredAt[index] ?? retained,
      isFree:
        !this.#isBound(index) &&
        !this.#held.has(index) &&
        part.step + this.#facts.settings.constants.wholeSteps <= step,
      isProtected: this.#isProtected(index),
    };
  }

  #part(index: number): Part {
    const formed = this.#facts.sent.rows.formed[index];
    if (formed === undefined) throw new RangeError(`There is no fold candidate ${index}.`);
    return formed.part;
  }

  /** The form that a part has in this request. */
  #form(index: number): PartForm | undefined {
    const { sent, begun } = this.#facts;
    const place = sent.rows.places[index];
    return begun.find((part) => part.place === place)?.form ?? sent.rows.formed[index]?.form;
  }

  /** What the parts before a place save by forms that begin with this request. */
  #begunBefore(before: number): number {
    return this.#facts.begun.reduce((sum, { place, saves }) => (place < before ? sum + saves : sum), 0);
  }

  #isProtected(index: number): boolean {
    const { protection } = this.#facts.settings;
    return !protection.isEmpty && protection.by(this.#part(index), this.#log, this.#view.turn) !== undefined;
  }

  #isMember(name: "dismissed" | "pinned", index: number): boolean {
    return this.#view.sets[name].size > 0 && isMember(this.#view, name, this.#part(index));
  }
}

function currentChars({ rows }: FoldCandidates, begun: readonly PartialPart[]): readonly number[] {
  if (begun.length === 0) return rows.chars;
  const chars = rows.chars.slice();
  for (const now of begun) {
    const index = rows.indexOf(now.place);
    if (rows.places[index] === now.place) chars[index] = now.chars;
  }
  return chars;
}

/** A part whose form begins with this request, and what it saves beside what it saved before. */
interface PartialPart {
  readonly place: number;
  readonly form: PartForm;
  readonly chars: number;
  readonly saves: number;
}

/** In order of the log. */
function begunParts(
  view: ContextView,
  sent: FoldCandidates,
  begins: ReadonlyMap<string, PartForm>,
): readonly PartialPart[] {
  return [...begins]
    .flatMap(([key, form]): PartialPart[] => {
      const place = sent.placeOf(key);
      const part = place === undefined ? undefined : sent.partAt(place);
      if (place === undefined || part === undefined) return [];
      const chars = charsIn(view, part, form);
      return [{ place, form, chars, saves: part.chars - chars - sent.savedBy(place) }];
    })
    .sort((a, b) => a.place - b.place);
}

/** What the parts save that stand in a request for the first time. */
function savedSince(view: ContextView, log: LogParts, { sent, begun }: Pick<EstimateFacts, "sent" | "begun">): number {
  let saved = 0;
  let first = log.formable.length;
  while (first > 0 && (log.formable[first - 1]?.step ?? -1) >= view.step) {
    first -= 1;
    saved += sent.savedBy(first);
  }
  return begun.reduce((sum, { place, saves }) => (place >= first ? sum + saves : sum), saved);
}

/** A part belongs to its own object, and one that shows a file's text to the file as well, or to what stands for it. */
export function isMember(view: ContextView, name: "dismissed" | "pinned", part: Part): boolean {
  const set = view.sets[name];
  return set.size > 0 && showsAny(view, part, (id) => set.has(view.objects.get(id)?.id ?? id));
}

/** Whether a part shows text of one of some objects. */
export function showsAny(view: ContextView, part: Part, has: (id: string) => boolean): boolean {
  if (part.object === undefined || part.isArgs) return false;
  if (has(part.object) || part.shows.some(has)) return true;
  if (!isReadText(part)) return false;
  const id = part.file === undefined ? undefined : partsOf(view).files.idOf(part.file);
  return id !== undefined && has(id);
}
