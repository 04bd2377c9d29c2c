import type { LogEntry } from "./log-entries.ts";
import type { PartForm } from "./part-form.ts";
import type { ContextView } from "./view.ts";

/** What is new to a table: entries from `from` up to `to`, that one not included, and parts whose form changed. */
export interface LogChanges {
  readonly from: number;
  readonly to: number;
  /** As in `ContextView.forms`, oldest first; a part that changed twice stands twice. */
  readonly parts: readonly string[];
}

/**
 * Facts about a log that a policy or a renderer wants at each request without reading the whole log again. A table is a
 * constant of the module that reads it; the facts belong to one index. `update` takes in what is new: it may look at other
 * tables, and leaves the view as it is.
 */
export interface LogTable<Facts> {
  readonly name: string;
  create(): Facts;
  update(facts: Facts, view: ContextView, changes: LogChanges): void;
}

interface Kept {
  readonly facts: unknown;
  entries: number;
  parts: number;
}

/**
 * What is known of one log and the forms of its parts. Entries are only added at the end of the log; the owner of both
 * says which forms change. Where entries are replaced or leave, the owner makes another log with another index.
 */
export class LogIndex {
  readonly log: readonly LogEntry[];
  readonly forms: ReadonlyMap<string, PartForm>;
  readonly #changed: string[] = [];
  readonly #tables = new Map<object, Kept>();

  constructor(log: readonly LogEntry[], forms: ReadonlyMap<string, PartForm>) {
    this.log = log;
    this.forms = forms;
  }

  /** Takes in that the form of a part is another one now. */
  changeForm(part: string): void {
    this.#changed.push(part);
  }

  /**
   * The facts of a table, with all that came since they were asked for last.
   * @throws RangeError where the view has another log or other forms than this index
   */
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
