import type { LogEntry } from "@cm/context-log";
import type { EarlierNotice } from "../../grammar/notice.ts";

/** Tools that the line names; the others are counted together. */
const toolsNamedMax = 4;

/** What left the prompt of a log, as one line says it: it stands at the start of the first result behind all of it. */
export class OmittedTurns {
  readonly #calls = new Map<string, number>();
  #prompts = 0;
  #entries = 0;
  #firstTurn = 0;
  #lastTurn = 0;
  #place: number | undefined;

  read(entry: LogEntry): void {
    if (entry.kind === "result") this.#place ??= this.#entries === 0 ? undefined : entry.at;
    if (entry.kind !== "omitted") return;
    if (this.#entries === 0) this.#firstTurn = entry.turn;
    this.#lastTurn = Math.max(this.#lastTurn, entry.turn);
    this.#entries += 1;
    this.#place = undefined;
    if (entry.was === "user") this.#prompts += 1;
    if (entry.was === "result") this.#calls.set(entry.tool ?? "", (this.#calls.get(entry.tool ?? "") ?? 0) + 1);
  }

  /** What the result at this place begins with; undefined for all others. `key` names it: more can only leave. */
  above(place: number): { readonly key: string; readonly notice: EarlierNotice } | undefined {
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
