import { billedInput, CostMeter, type Prices, type RenderedPrompt } from "@cm/context-log";
import type { RecordedAssistant, RecordedEvent } from "@cm/recordings";
import type { CallFigures, RunTotals } from "../results/run-result.ts";
import { Citations } from "./citations.ts";
import { Copies } from "./copies.ts";
import { CutOff } from "./cut-off.ts";
import { DialogueInView } from "./dialogue.ts";
import { Edits, type MissedLine } from "./edits.ts";
import { InView, type ViewChange } from "./in-view.ts";
import { PlainLog } from "./plain-log.ts";

/** The cost of a call that fetches an output again, without the output itself, in characters. */
const fetchChars = 200;

export type MeasuredCall = Pick<
  CallFigures,
  "sentChars" | "cachedChars" | "billed" | "plainSentChars" | "plainBilled" | "cold" | "broke"
> & {
  readonly missed: readonly MissedLine[];
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
  readonly #copies = new Copies();
  readonly #edits = new Edits();
  readonly #dialogue = new DialogueInView();
  readonly #cutOff = new CutOff();
  readonly #plainTotals = { sent: 0, billed: 0, peak: 0 };
  readonly #cited = { cited: 0, met: 0, inLine: 0 };
  readonly #copied = { copied: 0, met: 0 };
  /** What it costs to fetch again what was missed. */
  #faults = 0;

  constructor({ prices, headChars }: SessionMeasureOptions) {
    this.#prices = prices;
    this.#meter = new CostMeter({ prices, headChars });
    this.#plain = new PlainLog(prices, headChars);
  }

  /** Takes in an event of the record: before a request whatever precedes it, after it its answer and results. */
  add(event: RecordedEvent): void {
    this.#plain.add(event);
    this.#citations.add(event);
    this.#copies.add(event);
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
    this.#written(answer);
    const sentChars = sent - before.sent;
    this.#cutOff.request(billed, plain.plainBilled);
    return {
      sentChars,
      cachedChars: cached - before.cached,
      billed,
      ...plain,
      ...(cache === "cold" ? { cold: true } : {}),
      ...(breaks > before.breaks ? { broke: true } : {}),
      missed: this.#missed(answer, sentChars),
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
      ...this.#edits.counts,
      cited: this.#cited.cited,
      citedMet: this.#cited.met,
      citedInLine: this.#cited.inLine,
      copied: this.#copied.copied,
      copiedMet: this.#copied.met,
      faultedShare: (billed + this.#faults) / plain.billed,
      dialogueShare: this.#dialogue.share,
      ...this.#cutOff.dearest,
    };
  }

  /** Names and lines that the answer writes and that only tools had told. */
  #written(answer: RecordedAssistant): void {
    const cites = this.#citations.answer(answer, this.#view);
    this.#cited.cited += cites.cited;
    this.#cited.met += cites.met;
    this.#cited.inLine += cites.inLine;
    const copies = this.#copies.answer(answer, this.#view);
    this.#copied.copied += copies.copied;
    this.#copied.met += copies.met;
  }

  /** An output that must be fetched again costs one more request and itself, once for a call, whatever it needs of it. */
  #missed(answer: RecordedAssistant, sentChars: number): readonly MissedLine[] {
    const { missed, fetchedChars } = this.#edits.answer(answer, this.#plain, this.#view);
    for (const chars of fetchedChars)
      this.#faults += billedInput(this.#prices, { total: sentChars + chars + fetchChars, cached: sentChars });
    return missed;
  }
}
