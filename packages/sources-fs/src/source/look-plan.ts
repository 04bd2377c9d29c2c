import type { FilesystemBinding, ObserveRequest } from "@cm/object-model";
import type { Finding, LookItem, LookReply, LookTask } from "../indexing/messages.ts";
import type { Remembered } from "./known-states.ts";

/** A request that has no answer yet. */
export interface Todo {
  readonly place: number;
  readonly request: ObserveRequest<FilesystemBinding>;
  /** It was missing: a further look decides. */
  readonly confirm: boolean;
  /** There is no look after this one. */
  readonly last: boolean;
}

export interface Takers {
  readonly onFinding: (place: number, finding: Finding) => void;
  /** The remembered state is still valid. */
  readonly onUnchanged: (place: number, known: Remembered) => void;
}

/**
 * One task for a reading thread, and which of its places is whose. Plain lists of numbers and states: a sweep has tens
 * of thousands of places, and its cost beside the looks themselves is paid here.
 */
export class LookPlan {
  readonly #sweptPlaces: number[] = [];
  readonly #swept: Remembered[] = [];
  readonly #lookedPlaces: number[] = [];
  readonly #items: LookItem[] = [];
  #taken = 0;

  sweep(place: number, known: Remembered): void {
    this.#sweptPlaces.push(place);
    this.#swept.push(known);
  }

  look({ place, request, confirm, last }: Todo, path: string): void {
    const item: { -readonly [Name in keyof LookItem]: LookItem[Name] } = { path };
    const { hint, sourceHash } = request.known ?? {};
    if (hint !== undefined) item.hint = hint;
    if (sourceHash !== undefined) item.sourceHash = sourceHash;
    if (request.want === "existence") item.existence = true;
    if (confirm) item.confirm = true;
    if (last) item.last = true;
    this.#lookedPlaces.push(place);
    this.#items.push(item);
  }

  task(contentBytesMax: number): LookTask {
    const sweep = new Int32Array(this.#swept.length * 2);
    for (const [n, known] of this.#swept.entries()) {
      sweep[2 * n] = known.slot;
      sweep[2 * n + 1] = known.generation;
    }
    return { kind: "look", contentBytesMax, sweep, items: this.#items };
  }

  /** Which request stands at this place of the task. */
  placeOf(n: number): number | undefined {
    return n < this.#swept.length ? this.#sweptPlaces[n] : this.#lookedPlaces[n - this.#swept.length];
  }

  /** Every answer of a reply, in the order of the task. */
  take({ doneTo, findings }: LookReply, { onFinding, onUnchanged }: Takers): void {
    let next = 0;
    for (let n = this.#taken; n < doneTo; n += 1) {
      const place = this.placeOf(n);
      const found = findings[next];
      if (place === undefined) continue;
      if (found?.place === n) {
        next += 1;
        onFinding(place, found.finding);
        continue;
      }
      const known = this.#swept[n];
      if (known !== undefined) onUnchanged(place, known);
    }
    this.#taken = doneTo;
  }
}
