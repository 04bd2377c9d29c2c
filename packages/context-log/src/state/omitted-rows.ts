import { type LogEntry, type OmittedEntry, omittedKinds } from "../log-entries.ts";
import { NumberColumn } from "../number-column.ts";
import type { IdTable } from "../sets/id-table.ts";

/**
 * The facts of entries that left the prompt, in columns by their places in the log: in a long session those are nearly
 * all of it, two for each step.
 */
export class OmittedRows {
  readonly #ids: IdTable;
  readonly #kinds = new NumberColumn(new Uint8Array());
  readonly #steps = new NumberColumn(new Uint32Array());
  readonly #turns = new NumberColumn(new Uint32Array());
  readonly #chars = new NumberColumn(new Uint32Array());
  /** Of a result: the numbers of its object and its tool, from 1 on; 0 for none. */
  readonly #objects = new NumberColumn(new Uint32Array());
  readonly #tools = new NumberColumn(new Uint32Array());
  readonly #toolNames: string[] = [];
  readonly #toolNumbers = new Map<string, number>();
  /** Of calls whose id is not that of their object. */
  readonly #callIds = new Map<number, string>();
  /** In a class of their own, whose prototype has the columns: in the heap an entry takes 32 bytes then, and not 40. */
  readonly #Row: new (
    at: number,
  ) => OmittedRow;

  constructor(ids: IdTable) {
    this.#ids = ids;
    this.#Row = class extends OmittedRow {};
    Object.defineProperty(this.#Row.prototype, "rows", { value: this });
  }

  /** Rows of a log that goes on by itself: what left before it keeps its rows here. */
  another(): OmittedRows {
    return new OmittedRows(this.#ids);
  }

  /** Puts an entry into a row. What stands in the log in its place says the same. */
  keep(entry: OmittedEntry): OmittedEntry {
    if (entry instanceof OmittedRow) return entry;
    const { at, was, step, turn, chars, callId, tool, object } = entry;
    this.#kinds.set(at, omittedKinds.indexOf(was));
    this.#steps.set(at, step);
    this.#turns.set(at, turn);
    this.#chars.set(at, chars);
    if (tool !== undefined) this.#tools.set(at, this.#toolNumber(tool));
    if (callId !== undefined && object !== undefined) {
      this.#objects.set(at, this.#ids.give(object) + 1);
      if (callId !== object) this.#callIds.set(at, callId);
    }
    return new this.#Row(at);
  }

  /** The entry as plain data. */
  entry(at: number): OmittedEntry {
    const [object, tool] = [this.object(at), this.tool(at)];
    const [step, turn, chars] = [this.#steps.at(at), this.#turns.at(at), this.#chars.at(at)];
    const was = omittedKinds[this.#kinds.at(at)] ?? "note";
    const entry: OmittedEntry = { kind: "omitted", was, at, step, turn, chars };
    if (tool === undefined) return entry;
    return object === undefined
      ? { ...entry, tool }
      : { ...entry, callId: this.#callIds.get(at) ?? object, tool, object };
  }

  was(at: number): OmittedEntry["was"] {
    return omittedKinds[this.#kinds.at(at)] ?? "note";
  }

  step(at: number): number {
    return this.#steps.at(at);
  }

  turn(at: number): number {
    return this.#turns.at(at);
  }

  chars(at: number): number {
    return this.#chars.at(at);
  }

  callId(at: number): string | undefined {
    return this.#callIds.get(at) ?? this.object(at);
  }

  tool(at: number): string | undefined {
    return this.#toolNames[this.#tools.at(at) - 1];
  }

  object(at: number): string | undefined {
    const number = this.#objects.at(at) - 1;
    return number < 0 ? undefined : this.#ids.id(number);
  }

  #toolNumber(tool: string): number {
    const known = this.#toolNumbers.get(tool);
    if (known !== undefined) return known;
    const number = this.#toolNames.push(tool);
    this.#toolNumbers.set(tool, number);
    return number;
  }
}

/** Stands in a session's log where the entry stood, and reads its row. `plainEntry` makes plain data of it. */
abstract class OmittedRow implements OmittedEntry {
  declare protected readonly rows: OmittedRows;
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }

  get kind(): "omitted" {
    return "omitted";
  }

  get was(): OmittedEntry["was"] {
    return this.rows.was(this.at);
  }

  get step(): number {
    return this.rows.step(this.at);
  }

  get turn(): number {
    return this.rows.turn(this.at);
  }

  get chars(): number {
    return this.rows.chars(this.at);
  }

  // Contract: absent where the entry was no result. Readers see undefined.
  get callId(): string {
    return this.rows.callId(this.at) as string;
  }

  get tool(): string {
    return this.rows.tool(this.at) as string;
  }

  get object(): string {
    return this.rows.object(this.at) as string;
  }

  toJSON(): OmittedEntry {
    return this.rows.entry(this.at);
  }
}

/** True of what stands in a log in place of an entry, and reads its row. */
export const isRow = (value: object): boolean => value instanceof OmittedRow;

/** The entry as plain data, which a copy or a comparison takes. */
export const plainEntry = (entry: LogEntry): LogEntry => (entry instanceof OmittedRow ? entry.toJSON() : entry);
