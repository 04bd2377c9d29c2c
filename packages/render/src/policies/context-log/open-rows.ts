import type { PartForm } from "@cm/context-log";
import { type ClockSettings, clockOf } from "./clocks.ts";
import { isFileText, type LogParts, type Part } from "./parts.ts";

/** A part as it stood in the prompt that was sent last. */
export interface OpenPart {
  readonly part: Part;
  readonly form: PartForm | undefined;
  readonly chars: number;
  /** Its place in `LogParts.formable`. */
  readonly place: number;
}

/** From this turn after the one where it was set on, a clock no longer depends on the turns. */
const lastPhase = 2;

/**
 * What is known of the open parts, in order of the log, a row for each kind of number: every request goes over all of
 * them, and late in a session there are thousands. Clocks are worked out anew only where a turn or their file moved on.
 */
export class OpenRows {
  readonly open: OpenPart[] = [];
  readonly places: number[] = [];
  readonly steps: number[] = [];
  readonly chars: number[] = [];
  /** Characters of the prompt before it. */
  readonly before: number[] = [];
  /** The file's number; -1 for none, as in a `LogParts`. */
  readonly files: number[] = [];
  readonly isFileText: boolean[] = [];
  /** Of arguments their turn, else -1. */
  readonly argsTurn: number[] = [];
  /** What the clocks say: see `Clock`. */
  readonly deadSince: number[] = [];
  readonly setAt: number[] = [];
  readonly limit: number[] = [];
  readonly #setInTurn: number[] = [];
  #settings: ClockSettings | undefined;
  #turns = 0;
  #touches = 0;

  get length(): number {
    return this.open.length;
  }

  /** Where a place of `LogParts.formable` is or would be. */
  indexOf(place: number): number {
    let from = 0;
    let to = this.places.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.places[middle] ?? 0) < place) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  insert(index: number, open: OpenPart, before: number): void {
    const { part, chars, place } = open;
    this.open.splice(index, 0, open);
    this.places.splice(index, 0, place);
    this.steps.splice(index, 0, part.step);
    this.chars.splice(index, 0, chars);
    this.before.splice(index, 0, before);
    this.files.splice(index, 0, part.file ?? -1);
    this.isFileText.splice(index, 0, isFileText(part));
    this.argsTurn.splice(index, 0, part.isArgs ? part.turn : -1);
    for (const clock of [this.deadSince, this.setAt, this.limit]) clock.splice(index, 0, 0);
    // Not set yet.
    this.#setInTurn.splice(index, 0, Number.POSITIVE_INFINITY);
  }

  remove(index: number, count = 1): void {
    const { open, places, steps, chars, before, files, isFileText, argsTurn, deadSince, setAt, limit } = this;
    const rows = [open, places, steps, chars, before, files, isFileText, argsTurn, deadSince, setAt, limit];
    for (const row of [...rows, this.#setInTurn]) row.splice(index, count);
  }

  /** Winds the clocks that may say something else than at the last request. */
  updateClocks(log: LogParts, settings: ClockSettings): void {
    const isOther = settings !== this.#settings;
    const turns = log.turnSteps.length;
    const touched = new Set(log.touchedFiles.slice(this.#touches));
    // What was set so long ago has run through all phases, and a new turn changes nothing for it.
    const settled = turns === this.#turns ? Number.POSITIVE_INFINITY : this.#turns - 1 - lastPhase;
    for (let index = 0; index < this.length; index += 1) {
      const setInTurn = this.#setInTurn[index] ?? 0;
      const isNew = setInTurn === Number.POSITIVE_INFINITY;
      if (isOther || isNew || setInTurn > settled || touched.has(this.files[index] ?? -1))
        this.#set(index, log, settings);
    }
    this.#settings = settings;
    this.#turns = turns;
    this.#touches = log.touchedFiles.length;
  }

  #set(index: number, log: LogParts, settings: ClockSettings): void {
    const part = this.open[index]?.part;
    if (part === undefined) return;
    const clock = clockOf(log, part, settings);
    this.deadSince[index] = clock.deadSince;
    this.setAt[index] = clock.setAt;
    this.limit[index] = clock.limit;
    this.#setInTurn[index] = clock.turn;
  }
}
