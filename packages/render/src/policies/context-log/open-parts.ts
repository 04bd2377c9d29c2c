import type { ContextView, LogChanges, LogTable, PartForm } from "@cm/context-log";
import { noteChars } from "../../log-messages/notes.ts";
import { resultInForm } from "../../log-messages/result.ts";
import { OpenRows } from "./open-rows.ts";
import { type LogParts, type Part, partsOf } from "./parts.ts";

/**
 * How the parts of a log stand, kept from request to request. Few are open, since what is folded stays folded; only
 * parts that are new or changed their form are looked at.
 */
export class OpenParts {
  #formable: readonly Part[] = [];
  /** Those that may be folded, in order of the log. */
  readonly rows = new OpenRows();
  /** What each part saves by its form, by its place. */
  readonly #saved: number[] = [];
  readonly #places = new Map<string, number>();
  /** What all of them save together. */
  saved = 0;

  savedBy(place: number): number {
    return this.#saved[place] ?? 0;
  }

  partAt(place: number): Part | undefined {
    return this.#formable[place];
  }

  /** Undefined for a part that has no form of its own. */
  placeOf(key: string): number | undefined {
    return this.#places.get(key);
  }

  update(view: ContextView, { formable }: LogParts, { parts }: LogChanges): void {
    this.#formable = formable;
    for (const key of parts) {
      const place = this.#places.get(key);
      if (place !== undefined) this.#settle(view, place);
    }
    for (let place = this.#saved.length; place < formable.length; place += 1) this.#add(view, place);
  }

  #add(view: ContextView, place: number): void {
    const part = this.#formable[place];
    if (part === undefined) return;
    this.#places.set(part.key, place);
    const { facts, isOpen, saves } = standingOf(view, part, place);
    if (isOpen) this.rows.insert(this.rows.length, facts, part.before - this.saved);
    this.#saved.push(saves);
    this.saved += saves;
  }

  #settle(view: ContextView, place: number): void {
    const part = this.#formable[place];
    if (part === undefined || place >= this.#saved.length) return;
    const { facts, isOpen, saves } = standingOf(view, part, place);
    const more = saves - this.savedBy(place);
    this.#saved[place] = saves;
    this.saved += more;
    const { rows } = this;
    const at = rows.indexOf(place);
    const isKnown = rows.places[at] === place;
    // A part that is unfolded is counted up to: that is rare.
    const before = isKnown
      ? (rows.before[at] ?? 0)
      : part.before - this.#saved.slice(0, place).reduce((sum, saved) => sum + saved, 0);
    if (isKnown) rows.remove(at);
    if (isOpen) rows.insert(at, facts, before);
    for (let index = isOpen ? at + 1 : at; index < rows.length; index += 1)
      rows.before[index] = (rows.before[index] ?? 0) - more;
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

const open: LogTable<OpenParts> = {
  name: "open parts",
  create: () => new OpenParts(),
  update: (facts, view, changes) => facts.update(view, partsOf(view), changes),
};

/** How the parts of a view's log stand by the forms that were sent. */
export const openPartsOf = (view: ContextView): OpenParts => view.index.table(open, view);
