import type { ContextView, PartForm } from "@cm/context-log";
import { alive, spareByFloor } from "./floor.ts";
import { charsIn, type OpenParts, openPartsOf } from "./open-parts.ts";
import type { LogParts, Part } from "./parts.ts";
import type { ContextLogSettings } from "./presets.ts";

/** A part that may be folded: how it stands in the prompt that was sent last, and whether anybody still needs it. */
export interface Standing {
  readonly part: Part;
  readonly form: PartForm | undefined;
  readonly chars: number;
  /** Characters of the prompt before it. */
  readonly before: number;
  /** How far the clock has run, as a share of its limit. */
  readonly run: number;
  /** The step at which the clock runs down, which may lie ahead. */
  readonly clockEndsAt: number;
  /** The step since which it is dead; infinite while it lives. */
  readonly deadSince: number;
  /** Neither pinned, nor pointed at by a living part, nor bound: a fold behind whose cut it stands may take it along. */
  readonly isFree: boolean;
  /** Somebody wants it to stay in full: only a window may fold it. */
  readonly isProtected: boolean;
}

/** Steps before which not even a dismissed part is dead: the newest calls are always whole. */
export const youngestDead = 2;

export const isDead = (standing: Standing): boolean => standing.deadSince !== alive;

export interface GroundOptions {
  /** Forms of parts that are new in this request. */
  readonly begins: ReadonlyMap<string, PartForm>;
  readonly settings: ContextLogSettings;
}

/** Measures the log and says what of it is dead: by its clock, unless the floor, a pin or what points at it keeps it. */
export function groundOf(view: ContextView, log: LogParts, options: GroundOptions): Ground {
  const sent = openPartsOf(view);
  sent.rows.updateClocks(log, options.settings);
  return new Ground(view, log, { ...options, sent, begun: begunParts(view, sent, options.begins) });
}

interface GroundFacts extends GroundOptions {
  readonly sent: OpenParts;
  readonly begun: readonly BegunPart[];
}

/**
 * The prompt as it would be without a fold, and the parts of it that may be folded, in order of the log. There are
 * thousands late in a session and most requests fold none, so that they are rows of numbers until somebody asks for one.
 */
export class Ground {
  readonly chars: number;
  /** Characters of the parts that were sent before; what follows is new and is written anyway. */
  readonly sentChars: number;
  readonly #view: ContextView;
  readonly #log: LogParts;
  readonly #facts: GroundFacts;
  readonly #chars: readonly number[];
  readonly #deadSince: number[];
  /** Parts that are kept whatever their clock says. */
  readonly #kept = new Set<number>();
  #open: readonly Standing[] | undefined;

  constructor(view: ContextView, log: LogParts, facts: GroundFacts) {
    const { sent, begun } = facts;
    this.#view = view;
    this.#log = log;
    this.#facts = facts;
    this.#chars = charsNow(sent, begun);
    this.#deadSince = this.#clocks();
    this.#settle();
    this.#spare();
    this.chars = log.chars - begun.reduce((sum, { saves }) => sum + saves, sent.saved);
    this.sentChars = this.chars - (log.charsSince(view.step) - savedSince(view, log, facts));
  }

  get open(): readonly Standing[] {
    this.#open ??= this.#deadSince.map((_, index) => this.#standing(index));
    return this.#open;
  }

  /** The newest first. */
  *dead(): Generator<Standing> {
    for (let index = this.#deadSince.length - 1; index >= 0; index -= 1)
      if (this.#deadSince[index] !== alive) yield this.#standing(index);
  }

  #clocks(): number[] {
    const { step } = this.#view;
    const { rows } = this.#facts.sent;
    const { foldsNow } = this.#facts.settings;
    return rows.deadSince.map((clock, index) => {
      const diesAt = foldsNow ? Math.min(clock, (rows.steps[index] ?? 0) + youngestDead) : clock;
      return diesAt <= step && !this.#isBound(index) ? diesAt : alive;
    });
  }

  /** SSOT 4.4 (5): arguments of the current turn are never folded. */
  #isBound(index: number): boolean {
    const turn = this.#facts.sent.rows.argsTurn[index] ?? -1;
    return turn >= 0 && (turn >= this.#view.turn || this.#facts.settings.without.has("arguments"));
  }

  /** Protected and pinned parts live, dismissed ones are dead (SSOT 4.4 (7)), and what a living part refers to lives with it. */
  #settle(): void {
    const { rows } = this.#facts.sent;
    const held = new Set<number>();
    for (let index = rows.length - 1; index >= 0; index -= 1) {
      if (this.#isProtected(index)) this.#keep(index);
      else if (this.#isMember("dismissed", index)) {
        // It counts as dead since it could be, so that its rent is never less than without the wish. Even then the newest
        // calls stay whole, with what they refer to.
        const since = (rows.steps[index] ?? 0) + youngestDead;
        this.#deadSince[index] = since <= this.#view.step && !held.has(index) ? since : alive;
      } else if (held.has(index) || this.#isMember("pinned", index)) this.#keep(index);
      if (this.#deadSince[index] === alive) this.#hold(index, held);
    }
  }

  #keep(index: number): void {
    this.#deadSince[index] = alive;
    this.#kept.add(index);
  }

  #hold(index: number, held: Set<number>): void {
    const { form } = this.#stood(index);
    const base = form?.form === "same" ? form.as : form?.form === "diff" ? form.from : undefined;
    const { sent } = this.#facts;
    const place = base === undefined ? undefined : sent.placeOf(base);
    const at = place === undefined ? -1 : sent.rows.indexOf(place);
    if (at >= 0 && sent.rows.places[at] === place) held.add(at);
  }

  #spare(): void {
    const { settings, sent } = this.#facts;
    const { rows } = sent;
    const { step } = this.#view;
    const run = (index: number): number => (step - (rows.setAt[index] ?? 0)) / (rows.limit[index] ?? 1);
    const { isFileText, steps, length } = rows;
    spareByFloor(
      { length, isFileText, steps, chars: this.#chars, deadSince: this.#deadSince },
      {
        floorChars: settings.floor * this.#log.plainChars,
        rankOf: settings.without.has("worth") ? run : (index) => this.#rankOf(index, run(index)),
        mayLive: (index) => !settings.foldsNow && !this.#isMember("dismissed", index),
      },
    );
  }

  /** How far a part is overdue for what it costs to keep it: short parts and files of a plan are spared rather. */
  #rankOf(index: number, run: number): number {
    const file = this.#facts.sent.rows.files[index] ?? -1;
    const partners = file < 0 ? 0 : this.#log.coEdits.partnerCount(file);
    return (run * (1 + (this.#chars[index] ?? 0) / charsPerRun)) / (1 + partnerShare * partners);
  }

  #standing(index: number): Standing {
    const { rows } = this.#facts.sent;
    const { part, form } = this.#stood(index);
    const { step } = this.#view;
    const isProtected = this.#isProtected(index);
    return {
      part,
      form,
      chars: this.#chars[index] ?? 0,
      before: (rows.before[index] ?? 0) - this.#begunBefore(rows.places[index] ?? 0),
      run: (step - (rows.setAt[index] ?? 0)) / (rows.limit[index] ?? 1),
      clockEndsAt: rows.deadSince[index] ?? 0,
      deadSince: this.#deadSince[index] ?? alive,
      isFree: !this.#isBound(index) && !this.#kept.has(index) && part.step + youngestDead <= step,
      isProtected,
    };
  }

  /** The part in the form that it has in this request. */
  #stood(index: number): Pick<Standing, "part" | "form"> {
    const stood = this.#facts.sent.rows.open[index];
    if (stood === undefined) throw new RangeError(`There is no open part ${index}.`);
    const begun = this.#facts.begun.find(({ place }) => place === stood.place);
    return { part: stood.part, form: begun === undefined ? stood.form : begun.form };
  }

  /** What the parts before a place save by forms that begin with this request. */
  #begunBefore(before: number): number {
    return this.#facts.begun.reduce((sum, { place, saves }) => (place < before ? sum + saves : sum), 0);
  }

  #isProtected(index: number): boolean {
    const { protection } = this.#facts.settings;
    return !protection.isEmpty && protection.by(this.#stood(index).part, this.#log, this.#view.turn) !== undefined;
  }

  #isMember(name: "dismissed" | "pinned", index: number): boolean {
    if (this.#view.sets[name].size === 0) return false;
    return isMember(this.#view, name, { log: this.#log, part: this.#stood(index).part });
  }
}

/** A part of so many characters counts as overdue twice over. */
const charsPerRun = 3_000;
/** What each file that was once edited together with a part's own takes off. */
const partnerShare = 1;

function charsNow({ rows }: OpenParts, begun: readonly BegunPart[]): readonly number[] {
  if (begun.length === 0) return rows.chars;
  const chars = rows.chars.slice();
  for (const now of begun) {
    const index = rows.indexOf(now.place);
    if (rows.places[index] === now.place) chars[index] = now.chars;
  }
  return chars;
}

/** A part whose form begins with this request, and what it saves beside what it saved before. */
interface BegunPart {
  readonly place: number;
  readonly form: PartForm;
  readonly chars: number;
  readonly saves: number;
}

/** In order of the log. */
function begunParts(view: ContextView, sent: OpenParts, begins: ReadonlyMap<string, PartForm>): readonly BegunPart[] {
  return [...begins]
    .flatMap(([key, form]): BegunPart[] => {
      const place = sent.placeOf(key);
      const part = place === undefined ? undefined : sent.partAt(place);
      if (place === undefined || part === undefined) return [];
      const chars = charsIn(view, part, form);
      return [{ place, form, chars, saves: part.chars - chars - sent.savedBy(place) }];
    })
    .sort((a, b) => a.place - b.place);
}

/** What the parts save that stand in a request for the first time. */
function savedSince(view: ContextView, log: LogParts, { sent, begun }: Pick<GroundFacts, "sent" | "begun">): number {
  let saved = 0;
  let first = log.formable.length;
  while (first > 0 && (log.formable[first - 1]?.step ?? -1) >= view.step) {
    first -= 1;
    saved += sent.savedBy(first);
  }
  return begun.reduce((sum, { place, saves }) => (place >= first ? sum + saves : sum), saved);
}

/** A part belongs to its own object, and one that shows a file's text to the file as well, or to what stands for it. */
export function isMember(
  view: ContextView,
  name: "dismissed" | "pinned",
  { log, part }: { readonly log: LogParts; readonly part: Part },
): boolean {
  const set = view.sets[name];
  return set.size > 0 && showsAny((id) => set.has(view.objects.get(id)?.id ?? id), { log, part });
}

/** Whether a part shows text of one of some objects. */
export function showsAny(
  has: (id: string) => boolean,
  { log, part }: { readonly log: LogParts; readonly part: Part },
): boolean {
  if (part.object === undefined || part.isArgs) return false;
  if (has(part.object) || part.shows.some(has)) return true;
  if (part.class !== "read" && part.class !== "recalled") return false;
  const id = part.file === undefined ? undefined : log.files.idOf(part.file);
  return id !== undefined && has(id);
}
