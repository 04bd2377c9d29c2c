import type { PromptMessage } from "@cm/context-log";
import { pairsOf } from "./pairs.ts";
import type { WirePlace, WirePrompt, WireUnit } from "./wire-unit.ts";

/** Where a stretch lies in the prompt and in the request: first of each, and first behind it. */
export interface RangeBounds {
  readonly messages: readonly [from: number, to: number];
  readonly wire: readonly [from: number, to: number];
}

/** Neighbouring messages of a prompt beside what they became in the request. */
export class MatchedRange {
  readonly #messages: readonly PromptMessage[];
  readonly #from: number;
  readonly #units: readonly WireUnit[];
  /** Of each message its place among the units. */
  readonly #pairs: readonly (number | undefined)[];
  readonly #paired: ReadonlySet<number | undefined>;

  constructor(prompt: readonly PromptMessage[], request: WirePrompt, { messages, wire }: RangeBounds) {
    this.#messages = prompt.slice(...messages);
    this.#from = messages[0];
    this.#units = request.units(...wire);
    this.#pairs = pairsOf(this.#messages, this.#units);
    this.#paired = new Set(this.#pairs);
  }

  /** Whether prompt and request begin alike here. */
  get beginsAlike(): boolean {
    return this.#pairs[0] === 0;
  }

  /** Which of the request's messages this one of the prompt is, or is a part of. */
  wireOf(message: number): number | undefined {
    return this.#units[this.#pairs[message - this.#from] ?? -1]?.message;
  }

  has(message: number): boolean {
    return this.#pairs[message - this.#from] !== undefined;
  }

  /**
   * Where a mark goes behind the first `count` messages of the prompt: on the last of them that takes one, since a
   * place that is earlier than asked for is right, too. Undefined where none in this stretch does.
   */
  placeBehind(count: number): WirePlace | undefined {
    for (let place = count - 1 - this.#from; place >= 0; place -= 1) {
      const unit = this.#pairs[place];
      if (unit === undefined || this.#messages[place]?.role === "assistant") continue;
      return this.#units[place === count - 1 - this.#from ? this.#withAdded(unit) : unit]?.place;
    }
    return undefined;
  }

  /**
   * Pi adds messages of its own behind results: their pictures, results of calls that have none, changes of the system
   * prompt. They stay there in later requests, so the mark goes behind them.
   */
  #withAdded(unit: number): number {
    let last = unit;
    for (let next = unit + 1; next < this.#units.length && !this.#paired.has(next); next += 1) {
      const added = this.#units[next];
      if (added === undefined || !isAddedByPi(added, this.#units[next - 1])) break;
      if (added.place !== undefined) last = next;
    }
    return last;
  }
}

function isAddedByPi({ kind, hasPictures }: WireUnit, before: WireUnit | undefined): boolean {
  return kind === "tool" || kind === "system" || (kind === "user" && before?.kind === "tool" && hasPictures);
}
