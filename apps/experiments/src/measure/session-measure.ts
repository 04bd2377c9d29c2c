import { billedInput, type Prices, type RenderedPrompt } from "@cm/context-log";
import type { RecordedAssistant, RecordedEvent } from "@cm/recordings";
import { CostMeter } from "@cm/render";
import { limits } from "../limits.ts";
import type { CallFigures, RunTotals } from "../results/run-result.ts";
import { Citations } from "./citations.ts";
import { DialogueInView } from "./dialogue.ts";
import { InView, type ViewChange } from "./in-view.ts";
import { neededLines } from "./needed.ts";
import { PlainLog } from "./plain-log.ts";
import { contentOf } from "./prompt-texts.ts";
import { shows } from "./shows.ts";

/** The cost of a call that fetches an output again, without the output itself, in characters. */
const fetchChars = 200;

export type MeasuredCall = Pick<
  CallFigures,
  "sentChars" | "cachedChars" | "billed" | "plainSentChars" | "plainBilled" | "cold" | "broke"
> & {
  /** Needed lines that were out of view, and the place of the event that had told them last. */
  readonly missed: readonly { readonly line: string; readonly place: number }[];
  readonly change: ViewChange;
};

export interface MeasuredRequest {
  readonly prompt: RenderedPrompt;
  readonly answer: RecordedAssistant;
  readonly cache: "warm" | "cold";
}

export interface SessionMeasureOptions {
  readonly prices: Prices;
  /** Characters of system prompt and tools that every request is taken to have. */
  readonly headChars: number;
}

/**
 * Counts what the requests of one session cost and what they showed, against the plain append-only log of the same
 * events. Sizes are UTF-16 units of text and arguments, with a fixed head for each request.
 */
export class SessionMeasure {
  readonly #prices: Prices;
  readonly #meter: CostMeter;
  readonly #plain: PlainLog;
  readonly #view = new InView();
  readonly #citations = new Citations();
  readonly #dialogue = new DialogueInView();
  readonly #plainTotals = { sent: 0, billed: 0, peak: 0 };
  readonly #needed = { needed: 0, met: 0, faults: 0 };
  readonly #cited = { cited: 0, met: 0, inLine: 0 };

  constructor({ prices, headChars }: SessionMeasureOptions) {
    this.#prices = prices;
    this.#meter = new CostMeter({ prices, headChars });
    this.#plain = new PlainLog(prices, headChars);
  }

  /** Takes in an event of the record: before a request whatever precedes it, after it its answer and results. */
  add(event: RecordedEvent): void {
    this.#plain.add(event);
    this.#citations.add(event);
    this.#dialogue.add(event);
  }

  /** Counts one request, after all that precedes it was added and before its answer is. */
  request({ prompt, answer, cache }: MeasuredRequest): MeasuredCall {
    const before = this.#meter.totals;
    const billed = this.#meter.add(prompt, cache);
    const { sent, cached, breaks } = this.#meter.totals;
    const plain = this.#plain.request(cache);
    this.#plainTotals.sent += plain.plainSentChars;
    this.#plainTotals.billed += plain.plainBilled;
    this.#plainTotals.peak = Math.max(this.#plainTotals.peak, plain.plainSentChars);
    const change = this.#view.show(prompt);
    this.#dialogue.request(this.#view, change);
    const cites = this.#citations.answer(answer, this.#view);
    this.#cited.cited += cites.cited;
    this.#cited.met += cites.met;
    this.#cited.inLine += cites.inLine;
    return {
      sentChars: sent - before.sent,
      cachedChars: cached - before.cached,
      billed,
      ...plain,
      ...(cache === "cold" ? { cold: true } : {}),
      ...(breaks > before.breaks ? { broke: true } : {}),
      missed: this.#missed(answer, sent - before.sent),
      change,
    };
  }

  totals(): RunTotals {
    const { billed, sent, cached, peak, breaks, requests } = this.#meter.totals;
    const plain = this.#plainTotals;
    return {
      billed,
      plainBilled: plain.billed,
      billedShare: billed / plain.billed,
      sentShare: sent / plain.sent,
      cachedShare: cached / sent,
      peakChars: peak,
      plainPeakChars: plain.peak,
      breaksPer100: (100 * breaks) / requests,
      neededMet: this.#needed.met,
      needed: this.#needed.needed,
      cited: this.#cited.cited,
      citedMet: this.#cited.met,
      citedInLine: this.#cited.inLine,
      faultedShare: (billed + this.#needed.faults) / plain.billed,
      dialogueShare: this.#dialogue.share,
    };
  }

  /** An output that must be fetched again costs one more request and itself, once for a call, whatever it needs of it. */
  #missed(answer: RecordedAssistant, sentChars: number): MeasuredCall["missed"] {
    const missed: { line: string; place: number }[] = [];
    const fetched = new Map<number, number>();
    for (const line of neededLines(answer)) {
      const told = this.#plain.newestWith(line);
      if (told === undefined) continue;
      this.#needed.needed += 1;
      if (this.#view.messages.some((message) => shows(contentOf(message), line))) this.#needed.met += 1;
      else {
        missed.push({ line: line.slice(0, limits.missedLineCharsMax), place: told.place });
        fetched.set(told.place, told.chars + fetchChars);
      }
    }
    for (const chars of fetched.values())
      this.#needed.faults += billedInput(this.#prices, { total: sentChars + chars, cached: sentChars });
    return missed;
  }
}
