import type { PromptMessage, RebuiltPrompt, RenderedPrompt } from "@cm/context-log";

export interface KeptPromptsLimits {
  /** Bytes of messages that are kept; over it those that stood in the prompt longest ago are let go. */
  readonly bytesMax: number;
  /** Every how many prompts the whole list of messages is kept. */
  readonly listEvery: number;
}

/** A prompt by the numbers of its messages: how many of the one before it begins with, and the rest. */
interface KeptPrompt {
  readonly same: number;
  readonly tail: readonly number[];
  /** All of them, at some prompts. */
  readonly all: readonly number[] | undefined;
  readonly rest: Omit<RebuiltPrompt, "prompt"> & { readonly prompt: Omit<RenderedPrompt, "messages"> };
}

interface KeptMessage {
  readonly message: PromptMessage;
  readonly bytes: number;
  /** The newest prompt that it stands in. */
  newest: number;
}

/**
 * The prompts of a session one after the other: each message is kept once, however many prompts it stands in. What is
 * over the bound is let go, oldest first; `at` says so then.
 */
export class KeptPrompts {
  readonly #limits: KeptPromptsLimits;
  #prompts: (KeptPrompt | undefined)[] = [];
  #messages = new Map<number, KeptMessage>();
  /** The newest message of an id. */
  #numbers = new Map<string, number>();
  #next = 0;
  #bytes = 0;
  /** The numbers of the newest prompt's messages. */
  #last: readonly number[] = [];

  constructor(limits: KeptPromptsLimits) {
    this.#limits = limits;
  }

  /** Of messages; what lists of them take comes to some bytes a message of a tail. */
  get bytes(): number {
    return this.#bytes;
  }

  get length(): number {
    return this.#prompts.length;
  }

  /** @param rebuilt undefined where the prompt is not known: its place is taken all the same */
  add(rebuilt: RebuiltPrompt | undefined): void {
    const place = this.#prompts.length;
    if (rebuilt === undefined) {
      this.#prompts.push(undefined);
      this.#last = [];
      return;
    }
    const { prompt, ...rest } = rebuilt;
    const { messages, ...facts } = prompt;
    const numbers = messages.map((message) => this.#numberOf(message, place));
    const differs = numbers.findIndex((number, at) => number !== this.#last[at]);
    const same = differs < 0 ? numbers.length : differs;
    const isWhole = place % this.#limits.listEvery === 0 || this.#prompts[place - 1] === undefined;
    this.#prompts.push({
      same,
      tail: numbers.slice(same),
      all: isWhole ? numbers : undefined,
      rest: deepFrozen({ ...rest, prompt: facts }),
    });
    this.#last = numbers;
    if (this.#bytes > this.#limits.bytesMax) this.#letGo();
  }

  /** Undefined: it is not known, or something of it was let go. */
  at(place: number): RebuiltPrompt | undefined {
    const kept = this.#prompts[place];
    if (kept === undefined) return undefined;
    const messages: PromptMessage[] = [];
    for (const number of this.#numbersAt(place)) {
      const one = this.#messages.get(number);
      if (one === undefined) return undefined;
      messages.push(one.message);
    }
    const { prompt, ...rest } = kept.rest;
    return Object.freeze({ prompt: Object.freeze({ ...prompt, messages: Object.freeze(messages) }), ...rest });
  }

  /** Forgets the prompts from a place on. */
  cut(place: number): void {
    if (place >= this.#prompts.length) return;
    this.#prompts.length = place;
    this.#last = this.#prompts[place - 1] === undefined ? [] : this.#numbersAt(place - 1);
  }

  clear(): void {
    this.#prompts = [];
    this.#messages = new Map();
    this.#numbers = new Map();
    this.#last = [];
    this.#bytes = 0;
  }

  #numbersAt(place: number): readonly number[] {
    const later: KeptPrompt[] = [];
    let numbers: readonly number[] = [];
    for (let at = place; at >= 0; at -= 1) {
      const kept = this.#prompts[at];
      if (kept === undefined) break;
      if (kept.all !== undefined) {
        numbers = kept.all;
        break;
      }
      later.push(kept);
    }
    for (const { same, tail } of later.reverse()) numbers = [...numbers.slice(0, same), ...tail];
    return numbers;
  }

  #numberOf(message: PromptMessage, place: number): number {
    const known = this.#numbers.get(message.id);
    const kept = known === undefined ? undefined : this.#messages.get(known);
    // The same id says the same within one session; a path may lead through several.
    if (known !== undefined && kept !== undefined && isSame(kept.message, message)) {
      kept.newest = place;
      return known;
    }
    const number = this.#next;
    this.#next += 1;
    const bytes = bytesOf(message);
    this.#numbers.set(message.id, number);
    this.#messages.set(number, { message: deepFrozen(message), bytes, newest: place });
    this.#bytes += bytes;
    return number;
  }

  /** A good part at once, so that it does not come to this with each prompt. */
  #letGo(): void {
    const oldest = [...this.#messages].sort(([, a], [, b]) => a.newest - b.newest);
    for (const [number, { message, bytes }] of oldest) {
      if (this.#bytes <= this.#limits.bytesMax * 0.75) break;
      this.#messages.delete(number);
      if (this.#numbers.get(message.id) === number) this.#numbers.delete(message.id);
      this.#bytes -= bytes;
    }
  }
}

const isSame = (a: PromptMessage, b: PromptMessage): boolean =>
  a === b || (a.text === b.text && a.chars === b.chars && JSON.stringify(a) === JSON.stringify(b));

/** Two bytes a character, and something for what holds them. */
function bytesOf({ chars, thinking = [] }: PromptMessage): number {
  const thought = thinking.reduce((sum, part) => sum + JSON.stringify(part).length, 0);
  return 256 + 2 * (chars + thought);
}

/** Plain data of our own, so that freezing it in place is safe: what is shared with others never changes either. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFrozen(member);
  return Object.freeze(value);
}
