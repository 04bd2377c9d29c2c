import {
  argsPart,
  type ContextView,
  type LogEntry,
  type PartForm,
  type PromptMessage,
  resultPart,
} from "@cm/object-model";
import { ChangedParts } from "./changed-parts.ts";
import { keptOfLog } from "./kept-of-log.ts";
import { logMessage } from "./log-message.ts";
import { fullForm } from "./part-forms.ts";

/** What was rendered last for one place of a log, and from what. */
interface Slot {
  readonly entry: LogEntry;
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
  readonly length: number;
  readonly top: PromptMessage | undefined;
}

/** Changes that are remembered: the prompt that was sent last is seldom older than the newest few. */
const changesMax = 64;

/** The messages of one log, kept from request to request. */
export class KeptMessages {
  readonly #slots: Slot[] = [];
  readonly #messages: PromptMessage[] = [];
  readonly #ends: number[] = [];
  readonly #changed = new ChangedParts();
  /** Places whose text is gone: its mark may change. */
  readonly #textless = new Set<number>();
  /** Parts whose form began with the last request: whether it was sent is not known here. */
  #begun: readonly string[] = [];
  /** From which place on each of the newest renderings differed from the one before it. */
  #changes: number[] = [];
  #renderings = 0;
  readonly #given = new WeakMap<readonly PromptMessage[], Given>();

  /** Characters of all of them. */
  get chars(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** The messages of the last rendering, for a prompt to be made of, below what stands on top of it. */
  give(top: PromptMessage | undefined): PromptMessage[] {
    const messages = top === undefined ? this.#messages.slice() : [top, ...this.#messages];
    this.#given.set(messages, { rendering: this.#renderings, length: this.#messages.length, top });
    return messages;
  }

  /** How an earlier prompt begins, if that was made of these messages below the same top. */
  commonWith(given: readonly PromptMessage[] | undefined, top: PromptMessage | undefined): CommonStart {
    const before = given === undefined ? undefined : this.#given.get(given);
    if (before === undefined || before.top?.id !== top?.id) return { messages: 0, chars: 0 };
    const { messages, chars } = this.#commonSince(before);
    return top === undefined ? { messages, chars } : { messages: messages + 1, chars: chars + top.chars };
  }

  #commonSince({ rendering, length }: Given): CommonStart {
    const since = this.#renderings - rendering;
    const messages = since > this.#changes.length ? 0 : Math.min(length, ...this.#changes.slice(-since));
    return { messages, chars: this.#ends[messages - 1] ?? 0 };
  }

  render(view: ContextView, begins: ReadonlyMap<string, PartForm>): void {
    const known = this.#slots.length;
    const changed = this.#changed.since(view);
    let changedFrom = known;
    const check = (place: number): void => {
      if (place < known && this.#check(view, begins, place)) changedFrom = Math.min(changedFrom, place);
    };
    if (changed === undefined) {
      for (let place = 0; place < known; place += 1) check(place);
    } else {
      for (const parts of [changed, this.#begun, begins.keys()]) for (const part of parts) check(placeOf(part));
      for (const place of this.#textless) check(place);
    }
    for (let place = known; place < view.log.length; place += 1) this.#make(view, begins, place);
    this.#begun = [...begins.keys()];
    let chars = this.#ends[changedFrom - 1] ?? 0;
    for (let place = changedFrom; place < this.#messages.length; place += 1) {
      chars += this.#messages[place]?.chars ?? 0;
      this.#ends[place] = chars;
    }
    this.#renderings += 1;
    this.#changes.push(changedFrom);
    if (this.#changes.length > changesMax) this.#changes.shift();
  }

  /** True where the message is another one now. */
  #check(view: ContextView, begins: ReadonlyMap<string, PartForm>, place: number): boolean {
    const slot = this.#slots[place];
    if (slot !== undefined && slot.entry === view.log[place] && isCurrent(view, begins, slot)) return false;
    const before = this.#messages[place];
    this.#make(view, begins, place);
    return this.#messages[place] !== before;
  }

  #make(view: ContextView, begins: ReadonlyMap<string, PartForm>, place: number): void {
    const entry = view.log[place];
    if (entry === undefined) return;
    const parts = partsOfEntry(entry);
    const forms = parts.map((part) => begins.get(part) ?? view.forms.get(part));
    this.#slots[place] = { entry, parts, forms };
    this.#messages[place] = logMessage(view, entry, (part) => forms[parts.indexOf(part)] ?? fullForm);
    if (isTextless(entry)) this.#textless.add(place);
  }
}

const messagesOfLog = keptOfLog(() => new KeptMessages());

/**
 * The messages of a whole log. Only what may have changed is looked at: new entries, parts whose form changed, and
 * texts that are gone. Where the view does not tell which forms changed, every part is looked at, and no text.
 */
export function logMessages(view: ContextView, begins: ReadonlyMap<string, PartForm>): KeptMessages {
  const kept = messagesOfLog(view.log);
  kept.render(view, begins);
  return kept;
}

const placeOf = (part: string): number => Number.parseInt(part, 10);
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

function partsOfEntry(entry: LogEntry): readonly string[] {
  if (entry.kind === "resumed") return [];
  if (entry.kind !== "assistant") return [resultPart(entry.at)];
  return [resultPart(entry.at), ...entry.calls.map((_, call) => argsPart(entry.at, call))];
}
