import type { ViewObject } from "../view.ts";
import { standingFor } from "./view-objects.ts";
import { wholeText } from "./whole-text.ts";

/**
 * Files in whose place another object stands: the same file, as another client has it (SSOT 2.4, decision 82). Their old
 * names and ids mean the newest one.
 */
export class Successions {
  readonly #newest = new Map<string, string>();
  /** By the newest one: the older ones, each as it was last. */
  readonly #older = new Map<string, Map<string, ViewObject>>();

  /** The object that stands for this one now: itself, where none took its place. */
  newest(id: string): string {
    return this.#newest.get(id) ?? id;
  }

  get size(): number {
    return this.#newest.size;
  }

  /** All that this one stands for. */
  olderThan(id: string): readonly string[] {
    return [...(this.#older.get(id)?.keys() ?? [])];
  }

  /** One that was succeeded itself may come back: then it stands for those that stood for it. */
  succeed(from: ViewObject, to: string): void {
    const older = new Map([...(this.#older.get(to) ?? []), ...(this.#older.get(from.id) ?? []), [from.id, from]]);
    older.delete(to);
    this.#older.delete(from.id);
    this.#older.set(to, older);
    this.#newest.delete(to);
    for (const id of older.keys()) this.#newest.set(id, to);
  }

  /** What the older ones show now: the newest one, under the short name that each was given. */
  *shownFor(newest: ViewObject): Generator<readonly [string, ViewObject]> {
    for (const [id, own] of this.#older.get(newest.id) ?? []) {
      const isSame = wholeText(own) !== null && wholeText(own) === wholeText(newest);
      // As long as the text is the same, nothing changed since it was read.
      yield [id, standingFor(newest, own.alias, isSame ? own : newest)];
    }
  }
}
