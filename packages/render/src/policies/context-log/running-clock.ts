import { type Clock, type ClockSettings, clockOf } from "./clocks.ts";
import type { LogParts, Part } from "./parts.ts";

/**
 * The clock of a part that is looked at again and again: it is worked out anew only when a turn or its file moved on.
 * All of it in one object, since each request goes over those of all open parts.
 */
export class RunningClock implements Clock {
  deadSince = 0;
  setAt = 0;
  limit = 1;
  readonly #part: Part;
  readonly #file: number;
  /** What it was set by: turns begun, and when its file was touched and edited. */
  #turns = -1;
  #touchedAt = -1;
  #editedAt = -1;
  #settings: ClockSettings | undefined;

  constructor(part: Part) {
    this.#part = part;
    this.#file = part.file ?? -1;
  }

  update(log: LogParts, settings: ClockSettings): void {
    const turns = log.turnSteps.length;
    const touch = log.touches[this.#file];
    const touchedAt = touch === undefined ? -1 : touch.step;
    const editedAt = touch === undefined ? -1 : touch.editedAt;
    const isCurrent = turns === this.#turns && touchedAt === this.#touchedAt && editedAt === this.#editedAt;
    if (isCurrent && settings === this.#settings) return;
    const { deadSince, setAt, limit } = clockOf(log, this.#part, settings);
    this.deadSince = deadSince;
    this.setAt = setAt;
    this.limit = limit;
    this.#turns = turns;
    this.#touchedAt = touchedAt;
    this.#editedAt = editedAt;
    this.#settings = settings;
  }
}
