import {
  type ContextView,
  isNote,
  type LogChanges,
  type LogEntry,
  type LogTable,
  type PartForm,
  type PromptMessage,
} from "@cm/context-log";
import { logMessage } from "../../layouts/log/log-message.ts";
import { fullForm, logPlaces, messagePlace } from "../../layouts/log/log-places.ts";
import { messageContent } from "../../layouts/messages/content.ts";
import { namesIn } from "./names-in.ts";

const none = new Uint32Array();

/**
 * Which names stand in the prompt, kept from request to request: each message is searched once, and only those that
 * are new or changed are counted again. Forms that are tried out are taken back before the next request.
 */
export class NamesInView {
  /** Each name has a number, so that counting a message's names again is cheap. */
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  /** In how many messages a name stands, by its number. */
  readonly #counts: number[] = [];
  readonly #ofMessage = new WeakMap<PromptMessage, Uint32Array>();
  /** By place in the log; none for an entry without names, as what left the prompt. */
  readonly #ofEntry = new Map<number, Uint32Array>();
  /** Entries whose forms were tried out, which may never have been sent. */
  readonly #tried = new Set<number>();

  has(name: string): boolean {
    const number = this.#numbers.get(name);
    return number !== undefined && (this.#counts[number] ?? 0) > 0;
  }

  /** Counts what was sent last, and the new entries. */
  update(view: ContextView, { from, to, parts }: LogChanges): void {
    for (const at of new Set(parts.map((part) => messagePlace(view.log, part))))
      if (at < from) this.#count(view, at, new Map());
    for (let at = from; at < to; at += 1) {
      const entry = view.log[at];
      if (entry?.kind === "omitted") continue;
      if (entry !== undefined && isNote(entry) && entry.into < from) this.#count(view, entry.into, new Map());
      this.#count(view, at, new Map());
    }
  }

  /** Takes back what was tried out. */
  forgetTried(view: ContextView): void {
    const tried = [...this.#tried];
    this.#tried.clear();
    for (const at of tried) this.#count(view, at, new Map());
  }

  /** Counts these entries as if their parts stood in these forms. */
  try(view: ContextView, forms: ReadonlyMap<string, PartForm>): void {
    for (const at of new Set([...forms.keys()].map((part) => messagePlace(view.log, part)))) {
      this.#tried.add(at);
      this.#count(view, at, forms);
    }
  }

  /** The names of an entry, as it stands in these forms, that nothing in view shows now. */
  freshOf(view: ContextView, at: number, forms: ReadonlyMap<string, PartForm>): readonly string[] {
    const entry = view.log[at];
    if (entry === undefined) return [];
    const fresh: string[] = [];
    for (const number of this.#namesOf(messageOf(view, entry, forms))) {
      const name = this.#names[number];
      if (this.#counts[number] === 0 && name !== undefined) fresh.push(name);
    }
    return fresh;
  }

  #count(view: ContextView, at: number, forms: ReadonlyMap<string, PartForm>): void {
    const entry = view.log[at];
    const names = entry === undefined ? none : this.#namesOf(messageOf(view, entry, forms));
    const before = this.#ofEntry.get(at) ?? none;
    if (names === before) return;
    for (const name of before) this.#counts[name] = (this.#counts[name] ?? 0) - 1;
    for (const name of names) this.#counts[name] = (this.#counts[name] ?? 0) + 1;
    if (names === none) this.#ofEntry.delete(at);
    else this.#ofEntry.set(at, names);
  }

  #namesOf(message: PromptMessage | undefined): Uint32Array {
    if (message === undefined) return none;
    const known = this.#ofMessage.get(message);
    if (known !== undefined) return known;
    const names = Uint32Array.from(namesIn(messageContent(message)), (name) => this.#numberOf(name));
    this.#ofMessage.set(message, names);
    return names;
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#counts.push(0) - 1;
    const own = ownText(name);
    this.#numbers.set(own, number);
    this.#names.push(own);
    return number;
  }
}

/** A copy. A piece of a text keeps the whole text in memory, long after its message was folded; a name is ASCII. */
const ownText = (name: string): string => Buffer.from(name, "latin1").toString("latin1");

/** Undefined for a note: it is counted with the result in which it stands. */
function messageOf(
  view: ContextView,
  entry: LogEntry,
  forms: ReadonlyMap<string, PartForm>,
): PromptMessage | undefined {
  const formOf = (part: string): PartForm => forms.get(part) ?? view.forms.get(part) ?? fullForm;
  return logMessage(view, entry, { formOf, notes: logPlaces(view).notesInto(entry.at) });
}

const names: LogTable<NamesInView> = {
  name: "names",
  create: () => new NamesInView(),
  update: (facts, view, changes) => facts.update(view, changes),
};

/** The names in the prompt that was sent last, and in what came since. */
export function namesInView(view: ContextView): NamesInView {
  const facts = view.index.table(names, view);
  facts.forgetTried(view);
  return facts;
}
