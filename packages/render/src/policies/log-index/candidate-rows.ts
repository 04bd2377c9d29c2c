import type { PartForm } from "@cm/context-log";
import type { LogParts } from "./log-parts.ts";
import { isFileText, type Part } from "./part.ts";

/** What a part's clock says, in steps: a function of the log, which changes only when a turn or the part's file moves on. */
export interface Clock {
  /** The step from which on the part is expired, which may lie ahead. */
  readonly expiredAt: number;
  /** When it was set, in which turn, and after how many steps it has run down. */
  readonly setAt: number;
  readonly turn: number;
  readonly limit: number;
}

export type ClockOf = (log: LogParts, part: Part) => Clock;

/** A part as it stood in the prompt that was sent last. */
export interface FormedPart {
  readonly part: Part;
  readonly form: PartForm | undefined;
  readonly chars: number;
  /** Its place in `LogParts.formable`. */
  readonly place: number;
}

/** From this turn after the one where it was set on, a clock no longer depends on the turns. */
const lastPhase = 2;

/**
 * The candidates in order of the log, a row for each kind of number: every request goes over all of them, and late in a
 * session there are thousands. Clocks are worked out anew only where a turn or their file moved on.
 */
export class CandidateRows {
  readonly formed: FormedPart[] = [];
  readonly places: number[] = [];
  readonly steps: number[] = [];
  readonly chars: number[] = [];
  /** Characters of the prompt before it. */
  readonly before: number[] = [];
  /** The file's number; -1 for none, as in a `LogParts`. */
  readonly files: number[] = [];
  readonly isFileText: boolean[] = [];
  readonly isArgs: boolean[] = [];
  /** What the clocks say: see `Clock`. */
  readonly expiredAt: number[] = [];
  readonly setAt: number[] = [];
  readonly limit: number[] = [];
  readonly #setInTurn: number[] = [];
  #clockOf: ClockOf | undefined;
  #turns = 0;
  #touches = 0;

  get length(): number {
    return this.formed.length;
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

  insert(index: number, formed: FormedPart, before: number): void {
    const { part, chars, place } = formed;
    this.formed.splice(index, 0, formed);
    this.places.splice(index, 0, place);
    this.steps.splice(index, 0, part.step);
    this.chars.splice(index, 0, chars);
    this.before.splice(index, 0, before);
    this.files.splice(index, 0, part.file ?? -1);
    this.isFileText.splice(index, 0, isFileText(part));
    this.isArgs.splice(index, 0, part.isArgs);
    for (const clock of [this.expiredAt, this.setAt, this.limit]) clock.splice(index, 0, 0);
    // Not set yet.
    this.#setInTurn.splice(index, 0, Number.POSITIVE_INFINITY);
  }

  remove(index: number): void {
    const { formed, places, steps, chars, before, files, isFileText, isArgs, expiredAt, setAt, limit } = this;
    const rows = [formed, places, steps, chars, before, files, isFileText, isArgs, expiredAt, setAt, limit];
    for (const row of [...rows, this.#setInTurn]) row.splice(index, 1);
  }

  /** Winds the clocks that may say something else than at the last request. */
  updateClocks(log: LogParts, clockOf: ClockOf): void {
    const isOther = clockOf !== this.#clockOf;
    const turns = log.turnSteps.length;
    const touched = new Set(log.touchedFiles.slice(this.#touches));
    // What was set so long ago has run through all phases, and a new turn changes nothing for it.
    const settled = turns === this.#turns ? Number.POSITIVE_INFINITY : this.#turns - 1 - lastPhase;
    for (let index = 0; index < this.length; index += 1) {
      const setInTurn = this.#setInTurn[index] ?? 0;
      const isNew = setInTurn === Number.POSITIVE_INFINITY;
      if (isOther || isNew || setInTurn > settled || touched.has(this.files[index] ?? -1))
        this.#set(index, log, clockOf);
    }
    this.#clockOf = clockOf;
    this.#turns = turns;
    this.#touches = log.touchedFiles.length;
  }

  #set(index: number, log: LogParts, clockOf: ClockOf): void {
    const part = this.formed[index]?.part;
    if (part === undefined) return;
    const clock = clockOf(log, part);
    this.expiredAt[index] = clock.expiredAt;
    this.setAt[index] = clock.setAt;
    this.limit[index] = clock.limit;
    this.#setInTurn[index] = clock.turn;
  }
}
