import type { ContextView, PartForm } from "@cm/object-model";
import { ChangedParts } from "../../log-messages/changed-parts.ts";
import { noteChars } from "../../log-messages/notes.ts";
import { resultInForm } from "../../log-messages/result.ts";
import type { LogParts, Part } from "./parts.ts";
import { RunningClock } from "./running-clock.ts";

/** A part that may be folded, as it stood in the prompt that was sent last. */
export interface OpenPart {
  readonly part: Part;
  readonly form: PartForm | undefined;
  readonly chars: number;
  /** Its place in `LogParts.formable`. */
  readonly place: number;
  /** What the parts before it saved by their forms. */
  readonly savedBefore: number;
  readonly clock: RunningClock;
}

type Kept = { -readonly [Key in keyof OpenPart]: OpenPart[Key] };

/**
 * How the parts of a log stand, kept from request to request. Few are open, since what is folded stays folded; only
 * parts that are new or changed their form are looked at.
 */
export class OpenParts {
  readonly #log: LogParts;
  readonly #open: Kept[] = [];
  readonly #changed = new ChangedParts();
  /** What each part saves by its form, by its place. */
  readonly #saved: number[] = [];
  readonly #places = new Map<string, number>();
  /** What all of them save together. */
  saved = 0;

  constructor(log: LogParts) {
    this.#log = log;
  }

  /** In order of the log. */
  get open(): readonly OpenPart[] {
    return this.#open;
  }

  savedBy(place: number): number {
    return this.#saved[place] ?? 0;
  }

  partAt(place: number): Part | undefined {
    return this.#log.formable[place];
  }

  /** Undefined for a part that has no form of its own. */
  placeOf(key: string): number | undefined {
    return this.#places.get(key);
  }

  update(view: ContextView): void {
    const changed = this.#changed.since(view);
    if (changed === undefined) this.#forget();
    for (const key of changed ?? []) {
      const place = this.#places.get(key);
      if (place !== undefined) this.#settle(view, place);
    }
    for (let place = this.#saved.length; place < this.#log.formable.length; place += 1) this.#add(view, place);
  }

  #forget(): void {
    this.#open.length = 0;
    this.#saved.length = 0;
    this.saved = 0;
  }

  #add(view: ContextView, place: number): void {
    const part = this.#log.formable[place];
    if (part === undefined) return;
    this.#places.set(part.key, place);
    const standing = standingOf(view, part, place);
    if (standing.isOpen) this.#open.push(openPart(standing.facts, this.saved));
    this.#saved.push(standing.saves);
    this.saved += standing.saves;
  }

  #settle(view: ContextView, place: number): void {
    const part = this.#log.formable[place];
    if (part === undefined || place >= this.#saved.length) return;
    const { facts, isOpen, saves } = standingOf(view, part, place);
    const more = saves - this.savedBy(place);
    this.#saved[place] = saves;
    this.saved += more;
    const found = this.#open.findIndex((open) => open.place >= place);
    const at = found < 0 ? this.#open.length : found;
    const known = this.#open[at]?.place === place ? this.#open[at] : undefined;
    // A part that is unfolded is counted up to: that is rare.
    const savedBefore = known?.savedBefore ?? this.#saved.slice(0, place).reduce((sum, saved) => sum + saved, 0);
    this.#open.splice(at, known === undefined ? 0 : 1, ...(isOpen ? [openPart(facts, savedBefore)] : []));
    for (let index = isOpen ? at + 1 : at; index < this.#open.length; index += 1) {
      const open = this.#open[index];
      if (open !== undefined) open.savedBefore += more;
    }
  }
}

/** Characters of a part in a form. */
export function charsIn(view: ContextView, part: Part, form: PartForm | undefined): number {
  if (form === undefined || form.form === "full") return part.chars;
  if (form.form === "replaced") return part.replaced ?? part.chars;
  if (part.isArgs) return part.folded;
  if (form.form === "reference" && form.names === undefined && form.lines === undefined && form.file === undefined)
    return part.folded;
  const entry = view.log[part.at];
  if (entry?.kind === "result") return resultInForm(view, entry, form).chars;
  return entry?.kind === "recalled" ? noteChars(view, entry, form) : part.chars;
}

function standingOf(view: ContextView, part: Part, place: number) {
  const form = view.forms.get(part.key);
  const chars = charsIn(view, part, form);
  const facts = { part, form, chars, place };
  return { facts, isOpen: part.foldable && form?.form !== "reference", saves: part.chars - chars };
}

/** Always the same fields in the same order: there are many of them, and each request goes over all. */
const openPart = ({ part, form, chars, place }: ReturnType<typeof standingOf>["facts"], savedBefore: number): Kept => ({
  part,
  form,
  chars,
  place,
  savedBefore,
  clock: new RunningClock(part),
});

const openPartsOfLog = new WeakMap<LogParts, OpenParts>();

/** How the parts of a view's log stand by the forms that were sent. */
export function openPartsOf(view: ContextView, log: LogParts): OpenParts {
  const parts = openPartsOfLog.get(log) ?? new OpenParts(log);
  openPartsOfLog.set(log, parts);
  parts.update(view);
  return parts;
}
