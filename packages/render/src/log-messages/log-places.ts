import { type ContextView, isNote, type LogEntry, type NoteEntry } from "@cm/context-log";
import { keptOfLog } from "./kept-of-log.ts";
import { OmittedTurns } from "./omitted-turns.ts";

const noNotes: readonly NoteEntry[] = [];

/**
 * Where things stand in a log: which notes each result ends with, how many results come before a place, and what left the
 * prompt.
 */
class LogPlaces {
  readonly #notes = new Map<number, readonly NoteEntry[]>();
  readonly #results: number[] = [];
  readonly omitted = new OmittedTurns();
  #read = 0;

  readOn(log: readonly LogEntry[]): void {
    for (; this.#read < log.length; this.#read += 1) {
      const entry = log[this.#read];
      const isResult = entry?.kind === "result" || (entry?.kind === "omitted" && entry.was === "result");
      this.#results.push((this.#results.at(-1) ?? 0) + (isResult ? 1 : 0));
      if (entry !== undefined) this.omitted.read(entry);
      if (entry !== undefined && isNote(entry)) this.#notes.set(entry.into, [...this.notesInto(entry.into), entry]);
    }
  }

  /** The very same list as long as there is no other note. */
  notesInto(place: number): readonly NoteEntry[] {
    return this.#notes.get(place) ?? noNotes;
  }

  /** How many calls lie between two results, as their reader counts them. */
  callsBetween(from: number, to: number): number {
    return (this.#results[to] ?? 0) - (this.#results[from] ?? 0);
  }
}

const placesOfLog = keptOfLog(() => new LogPlaces());

export function logPlaces({ log }: Pick<ContextView, "log">): LogPlaces {
  const places = placesOfLog(log);
  places.readOn(log);
  return places;
}

/** The place of the message in which a part stands. */
export function messagePlace(log: readonly LogEntry[], part: string): number {
  const place = Number.parseInt(part, 10);
  const entry = log[place];
  return entry !== undefined && isNote(entry) ? entry.into : place;
}
