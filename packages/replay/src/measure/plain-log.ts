import { billedInput, type Prices } from "@cm/context-log";
import type { RecordedEvent } from "@cm/recordings";
import { shows } from "./shows.ts";

export interface PlainCost {
  readonly plainSentChars: number;
  readonly plainBilled: number;
}

/** The log that the agent alone would send: every recorded event in full, one after the other, and what that costs. */
export class PlainLog {
  readonly #prices: Prices;
  readonly #headChars: number;
  readonly #texts: string[] = [];
  #chars = 0;
  /** Size of the request before; 0 before the first. */
  #cached = 0;

  constructor(prices: Prices, headChars: number) {
    this.#prices = prices;
    this.#headChars = headChars;
  }

  add(event: RecordedEvent): void {
    const args = event.kind === "assistant" ? event.calls.map((call) => JSON.stringify(call.args)).join("") : "";
    this.#chars += event.text.length + args.length;
    this.#texts.push(`${event.text}\n${args}`);
  }

  /** Counts one request with all events so far. */
  request(cache: "warm" | "cold"): PlainCost {
    const total = this.#chars + this.#headChars;
    const cached = cache === "cold" ? 0 : this.#cached;
    this.#cached = total;
    return { plainSentChars: total, plainBilled: billedInput(this.#prices, { total, cached }) };
  }

  /** The newest event that shows a line, by its place among the events. */
  newestWith(line: string): { readonly place: number; readonly chars: number } | undefined {
    for (let place = this.#texts.length - 1; place >= 0; place -= 1) {
      const text = this.#texts[place] ?? "";
      if (shows(text, line)) return { place, chars: text.length };
    }
    return undefined;
  }

  /** Whether any event shows a line. @param likely the place of one that is likely to */
  has(line: string, likely: number): boolean {
    return shows(this.#texts[likely] ?? "", line) || this.newestWith(line) !== undefined;
  }
}
