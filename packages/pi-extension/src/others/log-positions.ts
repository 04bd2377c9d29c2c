import type { LogEntry } from "@cm/context-log";
import type { BranchItem } from "../branch/branch-item.ts";

/** Where the items of a branch stand in the log of its session. Both grow at their ends: only what is new is walked. */
export class LogPositions {
  #log: readonly LogEntry[] = [];
  /** Places by item, and items by place. */
  #places: number[] = [];
  #items = new Map<number, number>();
  #newest: BranchItem | undefined;
  #walked = 0;

  follow(log: readonly LogEntry[], items: readonly BranchItem[]): void {
    const known = this.#places.length;
    if (log !== this.#log || this.#newest !== items[known - 1]) this.#beginAnew(log);
    for (; this.#walked < log.length; this.#walked += 1) {
      const entry = log[this.#walked];
      const item = items[this.#places.length];
      if (entry === undefined || item === undefined) break;
      if (!isOf(entry, item)) {
        // Notes of ours, and calls that Pi never got a result for, stand in the log alone.
        if (isOurs(entry)) continue;
        break;
      }
      this.#items.set(entry.at, this.#places.length);
      this.#places.push(entry.at);
      this.#newest = item;
    }
  }

  /** Undefined where the log does not have the item. */
  of(item: number): number | undefined {
    return this.#places[item];
  }

  itemAt(place: number): number | undefined {
    return this.#items.get(place);
  }

  #beginAnew(log: readonly LogEntry[]): void {
    this.#log = log;
    this.#places = [];
    this.#items = new Map();
    this.#newest = undefined;
    this.#walked = 0;
  }
}

/** Messages that left the prompt have their items, too. */
function isOf(entry: LogEntry, item: BranchItem): boolean {
  const kind = kindOf(entry);
  switch (item.kind) {
    case "said":
      return kind === "user";
    case "answer":
      return kind === "assistant";
    case "result":
      return kind === "result" && "callId" in entry && entry.callId === item.message.toolCallId;
  }
}

const isOurs = (entry: LogEntry): boolean => kindOf(entry) !== "user" && kindOf(entry) !== "assistant";

const kindOf = (entry: LogEntry): string => (entry.kind === "omitted" ? entry.was : entry.kind);
