import type { LogEntry } from "./log-entries.ts";
import type { PartForm } from "./part-form.ts";
import type { ContextView, LogTable, ViewIndex } from "./view.ts";

interface Kept {
  readonly facts: unknown;
  entries: number;
  parts: number;
}

/**
 * The index of one log and the forms of its parts. Entries are only added at the end of the log; the owner of both
 * says which forms change, and which calls get their objects. Where entries are replaced otherwise or leave, the owner
 * makes another log with another index.
 */
export class LogIndex implements ViewIndex {
  readonly log: readonly LogEntry[];
  readonly forms: ReadonlyMap<string, PartForm>;
  readonly #changed: string[] = [];
  readonly #tables = new Map<object, Kept>();

  constructor(log: readonly LogEntry[], forms: ReadonlyMap<string, PartForm>) {
    this.log = log;
    this.forms = forms;
  }

  /** Takes in that the form of a part is another one now, or that arguments have an object. */
  changePart(part: string): void {
    this.#changed.push(part);
  }

  table<Facts>(table: LogTable<Facts>, view: ContextView): Facts {
    if (view.log !== this.log || view.forms !== this.forms) {
      throw new RangeError("The view has another log or other forms than its index. Make it with indexedView.");
    }
    let kept = this.#tables.get(table);
    if (kept === undefined) {
      // What changed before is what stands in the forms now.
      kept = { facts: table.create(), entries: 0, parts: this.#changed.length };
      this.#tables.set(table, kept);
    }
    const { entries: from, parts } = kept;
    const to = this.log.length;
    if (from < to || parts < this.#changed.length) {
      kept.entries = to;
      kept.parts = this.#changed.length;
      table.update(kept.facts as Facts, view, { from, to, parts: this.#changed.slice(parts) });
    }
    return kept.facts as Facts;
  }
}

/** A view with an index of its own: for views made by hand, and for views with another log or other forms. */
export function indexedView<View extends Pick<ContextView, "log" | "forms">>(
  view: View,
): View & Pick<ContextView, "index"> {
  return { ...view, index: new LogIndex(view.log, view.forms) };
}
