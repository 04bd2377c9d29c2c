import {
  argsPart,
  type ContextView,
  isNote,
  type LogChanges,
  type LogEntry,
  type LogTable,
  type NoteEntry,
  NumberColumn,
  type PartForm,
  type PromptMessage,
  resultPart,
} from "@cm/context-log";
import { logMessage } from "./log-message.ts";
import { fullForm, logPlaces, messagePlace } from "./log-places.ts";

/** What was rendered last for one place of a log, and from what. */
interface Slot {
  readonly entry: LogEntry;
  readonly notes: readonly NoteEntry[];
  readonly parts: readonly string[];
  /** Forms of the parts, undefined for full. */
  readonly forms: readonly (PartForm | undefined)[];
}

/** How much of an earlier prompt's start is the very same messages. */
interface CommonStart {
  readonly messages: number;
  readonly chars: number;
}

/** What a prompt was made of. */
interface Given {
  readonly rendering: number;
  /** Up to which place of the log its messages are those that were kept. */
  readonly length: number;
}

/** Changes that are remembered: the prompt that was sent last is seldom older than the newest few. */
const changesMax = 64;

const none: ReadonlyMap<number, PromptMessage> = new Map();

/** The messages of one log, kept from request to request. */
class KeptMessages {
  /** Places of the log that were rendered. */
  #length = 0;
  /** By place. None where nothing can be rendered otherwise: notes, and what left the prompt, which gets ever more. */
  readonly #slots = new Map<number, Slot>();
  /** None where a note stands, which is no message, and for what left the prompt. */
  readonly #messages = new Map<number, PromptMessage>();
  /** The same without the notes, since a prompt is a copy of it: a long one takes no step for each message. */
  readonly #prompt: PromptMessage[] = [];
  /** Messages and characters up to each place, itself included. */
  readonly #counts = new NumberColumn(new Uint32Array());
  readonly #ends = new NumberColumn(new Uint32Array());
  /** Parts whose form changed since the last rendering. */
  readonly #changed: string[] = [];
  /** Places whose text is gone: its mark may change. */
  readonly #textless = new Set<number>();
  /** Parts whose form began with the last request: whether it was sent is not known here. */
  #begun: readonly string[] = [];
  /** From which place on each of the newest renderings differed from the one before it. */
  #changes: number[] = [];
  #renderings = 0;
  readonly #given = new WeakMap<readonly PromptMessage[], Given>();

  /** The messages of the last rendering, for a prompt to be made of; these `others` in place of those at their places. */
  give(others: ReadonlyMap<number, PromptMessage> = none): {
    readonly messages: PromptMessage[];
    readonly chars: number;
  } {
    const messages = this.#prompt.slice();
    let chars = this.#ends.at(this.#ends.length - 1);
    for (const [place, other] of others) {
      const at = this.#counts.at(place) - 1;
      chars += other.chars - (messages[at]?.chars ?? 0);
      messages[at] = other;
    }
    this.#given.set(messages, {
      rendering: this.#renderings,
      length: Math.min(this.#length, ...others.keys()),
    });
    return { messages, chars };
  }

  /** How an earlier prompt begins, if that was made of these messages; those at the places of `others` are others now. */
  commonWith(
    given: readonly PromptMessage[] | undefined,
    others: ReadonlyMap<number, PromptMessage> = none,
  ): CommonStart {
    const before = given === undefined ? undefined : this.#given.get(given);
    if (before === undefined) return { messages: 0, chars: 0 };
    const since = this.#renderings - before.rendering;
    const isKnown = since <= this.#changes.length;
    const places = isKnown ? Math.min(before.length, ...others.keys(), ...this.#changes.slice(-since)) : 0;
    return { messages: this.#counts.at(places - 1), chars: this.#ends.at(places - 1) };
  }

  update({ parts }: LogChanges): void {
    this.#changed.push(...parts);
  }

  render(view: ContextView, begins: ReadonlyMap<string, PartForm>): void {
    const known = this.#length;
    let changedFrom = known;
    const check = (place: number): void => {
      if (place < known && this.#check(view, begins, place)) changedFrom = Math.min(changedFrom, place);
    };
    for (const parts of [this.#changed, this.#begun, begins.keys()])
      for (const part of parts) check(messagePlace(view.log, part));
    for (const place of this.#textless) check(place);
    this.#changed.length = 0;
    for (let place = known; place < view.log.length; place += 1) {
      const entry = view.log[place];
      // Nearly all of a long log: nothing stands for it.
      if (entry?.kind === "omitted") continue;
      if (entry !== undefined && isNote(entry)) check(entry.into);
      this.#make(view, begins, place);
    }
    this.#length = view.log.length;
    this.#begun = [...begins.keys()];
    this.#ends.reserve(this.#length);
    this.#counts.reserve(this.#length);
    let chars = this.#ends.at(changedFrom - 1);
    this.#prompt.length = this.#counts.at(changedFrom - 1);
    for (let place = changedFrom; place < this.#length; place += 1) {
      const message = this.#messages.get(place);
      if (message !== undefined) this.#prompt.push(message);
      chars += message?.chars ?? 0;
      this.#ends.set(place, chars);
      this.#counts.set(place, this.#prompt.length);
    }
    this.#renderings += 1;
    this.#changes.push(changedFrom);
    if (this.#changes.length > changesMax) this.#changes.shift();
  }

  /** True where the message is another one now. */
  #check(view: ContextView, begins: ReadonlyMap<string, PartForm>, place: number): boolean {
    const slot = this.#slots.get(place);
    if (slot === undefined) return false;
    const notes = logPlaces(view).notesInto(place);
    const isSame = slot.entry === view.log[place] && slot.notes === notes;
    if (isSame && isCurrent(view, begins, slot)) return false;
    const before = this.#messages.get(place);
    this.#make(view, begins, place);
    return this.#messages.get(place) !== before;
  }

  #make(view: ContextView, begins: ReadonlyMap<string, PartForm>, place: number): void {
    const entry = view.log[place];
    if (entry === undefined) return;
    const notes = logPlaces(view).notesInto(place);
    const parts = [...partsOfEntry(entry), ...notes.map(({ at }) => resultPart(at))];
    const forms = parts.map((part) => begins.get(part) ?? view.forms.get(part));
    if (parts.length === 0) this.#slots.delete(place);
    else this.#slots.set(place, { entry, notes, parts, forms });
    const formOf = (part: string): PartForm => forms[parts.indexOf(part)] ?? fullForm;
    const message = logMessage(view, entry, { formOf, notes });
    if (message === undefined) this.#messages.delete(place);
    else this.#messages.set(place, message);
    if (isTextless(entry)) this.#textless.add(place);
  }
}

const messages: LogTable<KeptMessages> = {
  name: "messages",
  create: () => new KeptMessages(),
  update: (facts, _view, changes) => facts.update(changes),
};

/**
 * The messages of a whole log. Only what may have changed is looked at: new entries, parts whose form changed, and
 * texts that are gone.
 */
export function logMessages(view: ContextView, begins: ReadonlyMap<string, PartForm>): KeptMessages {
  const kept = view.index.table(messages, view);
  kept.render(view, begins);
  return kept;
}

const isTextless = (entry: LogEntry): boolean => entry.kind === "result" && entry.text === null;

function isCurrent(view: ContextView, begins: ReadonlyMap<string, PartForm>, slot: Slot): boolean {
  if (isTextless(slot.entry)) return false;
  for (let index = 0; index < slot.parts.length; index += 1) {
    const part = slot.parts[index] ?? "";
    const form = (begins.size === 0 ? undefined : begins.get(part)) ?? view.forms.get(part);
    if (form !== slot.forms[index]) return false;
  }
  return true;
}

/** The parts of an entry that can have a form. */
export function partsOfEntry(entry: LogEntry): readonly string[] {
  if (isNote(entry) || entry.kind === "omitted") return [];
  if (entry.kind !== "assistant") return [resultPart(entry.at)];
  return [resultPart(entry.at), ...entry.calls.map((_, call) => argsPart(entry.at, call))];
}
