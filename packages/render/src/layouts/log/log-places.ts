import {
  AskedCalls,
  type ContextView,
  callOfPart,
  isNote,
  type LogChanges,
  type LogEntry,
  type LogTable,
  type NoteEntry,
  NumberColumn,
  type PartForm,
  placeOfPart,
} from "@cm/context-log";
import type { EarlierNotice } from "@cm/prompt-grammar";

const noNotes: readonly NoteEntry[] = [];

/**
 * Where things stand in a log: which notes each result ends with, how many calls come before a place, and what left the
 * prompt.
 */
class LogPlaces {
  readonly #notes = new Map<number, readonly NoteEntry[]>();
  readonly #results = new NumberColumn(new Uint32Array());
  readonly #calls = new CallPlaces();
  readonly omitted = new OmittedTurns();
  readOn(log: readonly LogEntry[], { from, to }: LogChanges): void {
    this.#results.reserve(to);
    for (let at = from; at < to; at += 1) {
      const entry = log[at];
      if (entry === undefined) continue;
      // What left the prompt is none that its reader could count.
      this.#results.push(this.#results.at(this.#results.length - 1) + (entry.kind === "result" ? 1 : 0));
      this.#calls.read(entry);
      this.omitted.read(entry);
      if (isNote(entry)) this.#notes.set(entry.into, [...this.notesInto(entry.into), entry]);
    }
  }

  /** The very same list as long as there is no other note. */
  notesInto(place: number): readonly NoteEntry[] {
    return this.#notes.get(place) ?? noNotes;
  }

  /** How many calls above a result the output or the arguments of another one stand, as their reader counts them. */
  callsAbove(part: string, result: number): number {
    const calls = this.#calls.between(part, result);
    if (calls > 0) return calls;
    // Results of calls further up that came late, or of none.
    const results = this.#results.at(result) - this.#results.at(placeOfPart(part));
    return Math.max(1, isArguments(part) ? results - callOfPart(part) - 1 : results);
  }
}

/** True for the arguments of a call, `12.0`. */
const isArguments = (part: string): boolean => part.includes(".");

/**
 * The calls that stand, numbered: answer by answer, those of one answer as their results came. So a call counts before it
 * has a result, and one whose result came late counts where it was made.
 */
class CallPlaces {
  readonly #asked = new AskedCalls();
  #count = 0;
  /** Of each answer the number of its first call, and of its next one that gets a result. */
  readonly #first = new Map<number, number>();
  readonly #next = new Map<number, number>();
  readonly #results = new Map<number, number>();

  read(entry: LogEntry): void {
    if (entry.kind === "assistant") {
      this.#asked.ask(entry);
      this.#first.set(entry.at, this.#count);
      this.#next.set(entry.at, this.#count);
      this.#count += entry.calls.length;
    }
    const answer = entry.kind === "result" ? this.#asked.answer(entry) : undefined;
    const number = this.#next.get(answer ?? -1);
    if (answer === undefined || number === undefined) return;
    this.#results.set(entry.at, number);
    this.#next.set(answer, number + 1);
  }

  /** Not above 0 where the result came of a call further up, or where one of both is of no call. */
  between(part: string, result: number): number {
    const place = placeOfPart(part);
    const first = this.#first.get(place) ?? Number.NaN;
    const above = isArguments(part) ? first + callOfPart(part) : this.#results.get(place);
    return (this.#results.get(result) ?? Number.NaN) - (above ?? Number.NaN);
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
  const place = placeOfPart(part);
  const entry = log[place];
  return entry !== undefined && isNote(entry) ? entry.into : place;
}

/** Tools that the line names; the others are counted together. */
const toolsNamedMax = 4;

/** What left the prompt of a log, as one line says it. */
export interface OmittedLine {
  /** Names the line: more can only leave. */
  readonly key: string;
  readonly notice: EarlierNotice;
}

/**
 * What left the prompt of a log: one line says it, at the start of the first result or prompt behind all of it. A result
 * alone does not do: in a session without calls, and at the first request of a turn, there may be none. Outputs count as
 * being where their calls were: one that came late may have left from below the line.
 */
export class OmittedTurns {
  readonly #calls = new Map<string, number>();
  #prompts = 0;
  #entries = 0;
  #firstTurn = 0;
  #lastTurn = 0;
  #place: number | undefined;

  read(entry: LogEntry): void {
    if (entry.kind === "result" || entry.kind === "user") this.#place ??= this.#entries === 0 ? undefined : entry.at;
    if (entry.kind !== "omitted") return;
    if (this.#entries === 0) this.#firstTurn = entry.turn;
    this.#lastTurn = Math.max(this.#lastTurn, entry.turn);
    this.#entries += 1;
    if (entry.was !== "result") this.#place = undefined;
    if (entry.was === "user") this.#prompts += 1;
    if (entry.was === "result") this.#calls.set(entry.tool ?? "", (this.#calls.get(entry.tool ?? "") ?? 0) + 1);
  }

  /** Of the message that says it; undefined where there is none. */
  get place(): number | undefined {
    return this.#place;
  }

  /** What the message at this place begins with; undefined for all others. */
  above(place: number): OmittedLine | undefined {
    return place === this.#place ? { key: `earlier@${this.#entries}`, notice: this.#notice() } : undefined;
  }

  #notice(): EarlierNotice {
    const tools = [...this.#calls].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    const more = tools.slice(toolsNamedMax).reduce((sum, [, count]) => sum + count, 0);
    const calls = tools.reduce((sum, [, count]) => sum + count, 0);
    return {
      kind: "earlier",
      calls,
      tools: tools.slice(0, toolsNamedMax).map(([tool, count]) => ({ tool, calls: count })),
      ...(more === 0 ? {} : { more }),
      ...(this.#prompts === 0 ? {} : { prompts: this.#prompts }),
      // As people count.
      turns: { from: this.#firstTurn + 1, to: this.#lastTurn + 1 },
    };
  }
}

/** The form of every part of which nothing else is said. */
export const fullForm: PartForm = { form: "full" };

/** How a message's id says where its text was cut. */
export const spansSuffix = ({ head, tail }: PartForm & { readonly form: "spans" }): string => `spans@${head}.${tail}`;

/** Short name of an object within the session; the id where the view does not know it. */
export function aliasOf(view: ContextView, object: string): string {
  return view.objects.get(object)?.alias ?? object;
}
