import {
  type ContextView,
  isNote,
  type LogChanges,
  type LogEntry,
  type LogTable,
  type NoteEntry,
  NumberColumn,
} from "@cm/context-log";
import { OmittedTurns } from "./omitted-turns.ts";

const noNotes: readonly NoteEntry[] = [];

/**
 * Where things stand in a log: which notes each result ends with, how many results come before a place, and what left the
 * prompt.
 */
class LogPlaces {
  readonly #notes = new Map<number, readonly NoteEntry[]>();
  readonly #results = new NumberColumn(new Uint32Array());
  readonly omitted = new OmittedTurns();
  readOn(log: readonly LogEntry[], { from, to }: LogChanges): void {
    for (const entry of log.slice(from, to)) {
      const isResult = entry.kind === "result" || (entry.kind === "omitted" && entry.was === "result");
      this.#results.push(this.#results.at(this.#results.length - 1) + (isResult ? 1 : 0));
      this.omitted.read(entry);
      if (isNote(entry)) this.#notes.set(entry.into, [...this.notesInto(entry.into), entry]);
    }
  }

  /** The very same list as long as there is no other note. */
  notesInto(place: number): readonly NoteEntry[] {
    return this.#notes.get(place) ?? noNotes;
  }

  /** How many calls lie between two results, as their reader counts them. */
  callsBetween(from: number, to: number): number {
    return this.#results.at(to) - this.#results.at(from);
  }
}

const places: LogTable<LogPlaces> = {
  name: "places",
  create: () => new LogPlaces(),
  update: (facts, { log }, changes) => facts.readOn(log, changes),
};

export const logPlaces = (view: ContextView): LogPlaces => view.index.table(places, view);

/** The place of the message in which a part stands. */
export function messagePlace(log: readonly LogEntry[], part: string): number {
  const place = Number.parseInt(part, 10);
  const entry = log[place];
  return entry !== undefined && isNote(entry) ? entry.into : place;
}
