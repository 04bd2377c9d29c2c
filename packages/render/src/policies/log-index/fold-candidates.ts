import {
  type ContextView,
  callOfPart,
  isNote,
  type LogChanges,
  type LogEntry,
  type LogTable,
  messageBytes,
  NumberColumn,
  type PartForm,
  placeOfPart,
  resultPart,
} from "@cm/context-log";
import { cutWhole } from "../../layouts/log/cut-text.ts";
import { argsName, logMessage } from "../../layouts/log/log-message.ts";
import { fullForm } from "../../layouts/log/log-places.ts";
import { noteChars, noteText } from "../../layouts/log/notes.ts";
import { resultInForm } from "../../layouts/log/result.ts";
import { argsChars } from "../../layouts/messages/content.ts";
import { CandidateRows, type FormedPart } from "./candidate-rows.ts";
import { onlyFile } from "./file-names.ts";
import { type LogParts, partsOf } from "./log-parts.ts";
import type { Part } from "./part.ts";

/**
 * The parts that a reference would shorten, in characters, as a policy weighs them. Few are left late in a session, since
 * what is folded stays folded; only parts that are new or changed their form are looked at.
 */
export class FoldCandidates {
  #formable: readonly Part[] = [];
  /** In order of the log. */
  readonly rows = new CandidateRows();
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
      if (place !== undefined) this.#replace(view, place);
    }
    for (let place = this.#saved.length; place < formable.length; place += 1) this.#add(view, place);
  }

  #add(view: ContextView, place: number): void {
    const part = this.#formable[place];
    if (part === undefined) return;
    this.#places.set(part.key, place);
    const { formed, isCandidate, saves } = formedPart(view, part, place);
    if (isCandidate) this.rows.insert(this.rows.length, formed, part.before - this.saved);
    this.#saved.push(saves);
    this.saved += saves;
  }

  #replace(view: ContextView, place: number): void {
    const part = this.#formable[place];
    if (part === undefined) return;
    const { formed, isCandidate, saves } = formedPart(view, part, place);
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
    if (isCandidate) rows.insert(at, formed, before);
    for (let index = isCandidate ? at + 1 : at; index < rows.length; index += 1)
      rows.before[index] = (rows.before[index] ?? 0) - more;
  }
}

/** Characters of a part in a form. */
export function charsIn(view: ContextView, part: Part, form: PartForm | undefined): number {
  if (form === undefined || form.form === "full") return part.chars;
  if (form.form === "replaced") return part.replaced ?? part.chars;
  if (part.isArgs) return form.form === "reference" && form.whole === true ? wholeCutChars(view, part) : part.folded;
  if (form.form === "reference" && form.names === undefined && form.lines === undefined && form.file === undefined)
    return part.folded;
  const entry = view.log[part.at];
  if (entry?.kind === "result") return resultInForm(view, entry, form).chars;
  return entry?.kind === "recalled" ? noteChars(view, entry, form) : part.chars;
}

function wholeCutChars(view: ContextView, { key, at, chars }: Part): number {
  const entry = view.log[at];
  const call = entry?.kind === "assistant" ? entry.calls[callOfPart(key)] : undefined;
  if (entry === undefined || call === undefined) return chars;
  return argsChars(cutWhole(call.args, argsName(view, entry, call.object)));
}

function formedPart(view: ContextView, part: Part, place: number) {
  const form = view.forms.get(part.key);
  const chars = charsIn(view, part, form);
  const formed: FormedPart = { part, form, chars, place };
  return { formed, isCandidate: part.foldable && form?.form !== "reference", saves: part.chars - chars };
}

const candidates: LogTable<FoldCandidates> = {
  name: "fold candidates",
  create: () => new FoldCandidates(),
  update: (facts, view, changes) => facts.update(view, partsOf(view), changes),
};

/** By the forms that were sent. */
export const foldCandidates = (view: ContextView): FoldCandidates => view.index.table(candidates, view);

/** By key the parts that a reference would make lighter, in bytes, as a window weighs them, and those that point at another. */
const lighter: LogTable<Map<string, Part>> = {
  name: "fold candidates in bytes",
  create: () => new Map(),
  update(facts, view, { from, to, parts: changed }) {
    const log = partsOf(view);
    const look = (at: number): void => {
      for (const part of log.partsAt(at)) {
        if (isLighterFolded(view, part)) facts.set(part.key, part);
        else facts.delete(part.key);
      }
    };
    for (const part of changed) look(placeOfPart(part));
    for (let at = from; at < to; at += 1) look(at);
  },
};

export const foldCandidatesInBytes = (view: ContextView): ReadonlyMap<string, Part> => view.index.table(lighter, view);

function isLighterFolded(view: ContextView, { key, at }: Part): boolean {
  const entry = view.log[at];
  const form = view.forms.get(key)?.form;
  if (entry === undefined || form === "reference") return false;
  // However short it is: what it points at may not go without it.
  if (form === "same" || form === "diff" || form === "pointer") return true;
  const now = bytesInForms(view, entry, (part) => view.forms.get(part));
  return bytesInForms(view, entry, (part) => (part === key ? { form: "reference" } : view.forms.get(part))) < now;
}

/** The object of the file that a part is about; undefined where it is about none, or about many. */
export function fileAbout(view: ContextView, { key, at, object = "", isArgs }: Part): string | undefined {
  const entry = view.log[at];
  if (isArgs) return entry?.kind === "assistant" ? onlyFile(entry.calls[callOfPart(key)]?.files ?? []) : undefined;
  const { touchedAt, fileOfOutput } = partsOf(view);
  return touchedAt.has(object) ? object : fileOfOutput.get(object);
}

/** The object whose text a part is, and the file of which it shows something: a pin on either keeps it. */
export function pinnableObjects(view: ContextView, part: Part): readonly string[] {
  if (part.isArgs) return [];
  const { object = "" } = part;
  return [...new Set([object, fileAbout(view, part) ?? object])];
}

/** What each entry of a log weighs in the forms that were sent, kept from request to request. */
export class EntryBytes {
  readonly #bytes = new NumberColumn(new Uint32Array());
  /** Places whose text is gone: the line in its place may change. */
  readonly #textless = new Set<number>();
  total = 0;

  at(place: number): number {
    return this.#bytes.at(place);
  }

  /** Looks at what is new and at what changed its form. */
  update(view: ContextView, { from, to, parts }: LogChanges): void {
    for (const part of parts) this.#weigh(view, placeOfPart(part));
    // What left weighs nothing.
    for (let place = from; place < to; place += 1) if (view.log[place]?.kind !== "omitted") this.#weigh(view, place);
  }

  /** What stands in place of a text that is gone depends on its object, and no change of the log tells of that. */
  weighTextless(view: ContextView): void {
    for (const place of this.#textless) this.#weigh(view, place);
  }

  #weigh(view: ContextView, place: number): void {
    const entry = view.log[place];
    if (entry === undefined) return;
    if (entry.kind === "result" && entry.text === null) this.#textless.add(place);
    const bytes = bytesInForms(view, entry, (part) => view.forms.get(part));
    this.total += bytes - this.at(place);
    this.#bytes.set(place, bytes);
  }
}

/** What an entry weighs when its parts stand in these forms: its message, or what a note adds to the result it stands in. */
export function bytesInForms(
  view: ContextView,
  entry: LogEntry,
  formOf: (part: string) => PartForm | undefined,
): number {
  const formOr = (part: string): PartForm => formOf(part) ?? fullForm;
  if (isNote(entry)) {
    const note = noteText(view, entry, formOr(resultPart(entry.at)));
    return note === undefined ? 0 : Buffer.byteLength(note.text()) + 1;
  }
  const message = logMessage(view, entry, { formOf: formOr, notes: [] });
  return message === undefined ? 0 : messageBytes(message);
}

const bytes: LogTable<EntryBytes> = {
  name: "bytes",
  create: () => new EntryBytes(),
  update: (facts, view, changes) => facts.update(view, changes),
};

export function entryBytesOf(view: ContextView): EntryBytes {
  const kept = view.index.table(bytes, view);
  kept.weighTextless(view);
  return kept;
}
