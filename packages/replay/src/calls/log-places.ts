import { argsPart, type LogEntry, resultPart } from "@cm/context-log";
import { shows } from "../measure/shows.ts";

/** The places of recorded events in a session's log, which has its own entries between them. */
export class LogPlaces {
  readonly #places: number[] = [];
  #read = 0;

  /** The part of the log that shows a line of an event, told as the event's place among all events. */
  partOf(log: readonly LogEntry[], event: number, line: string): string | undefined {
    for (; this.#read < log.length; this.#read += 1) {
      const kind = log[this.#read]?.kind;
      if (kind === "user" || kind === "assistant" || kind === "result") this.#places.push(this.#read);
    }
    const entry = log[this.#places[event] ?? -1];
    if (entry === undefined) return undefined;
    if (entry.kind !== "assistant" || shows(entry.text, line)) return resultPart(entry.at);
    const call = entry.calls.findIndex(({ args }) => shows(JSON.stringify(args), line));
    return argsPart(entry.at, Math.max(0, call));
  }
}
