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
  readonly last?: boolean;
  /** The thread does not have its facts (any more): send path and hint. */
  readonly inFull: boolean;
}

/** One task for the reading thread, and which of its places is whose. */
export class LookPlan {
  readonly #swept: { readonly todo: Todo; readonly known: Remembered }[] = [];
  readonly #looked: { readonly todo: Todo; readonly item: LookItem }[] = [];
  #taken = 0;

  get size(): number {
    return this.#swept.length + this.#looked.length;
  }

  sweep(todo: Todo, known: Remembered): void {
    this.#swept.push({ todo, known });
  }

  look(todo: Todo, path: string): void {
    const { known, want } = todo.request;
    const { hint, sourceHash } = known ?? {};
    const { confirm, last = false } = todo;
    this.#looked.push({
      todo,
      item: { path, hint, sourceHash, existence: want === "existence", confirm, last },
    });
  }

  task(contentBytesMax: number): LookTask {
    const sweep = new Int32Array(this.#swept.length * 2);
    for (const [n, { known }] of this.#swept.entries()) {
      sweep[2 * n] = known.slot;
      sweep[2 * n + 1] = known.generation;
    }
    return { kind: "look", contentBytesMax, sweep, items: this.#looked.map(({ item }) => item) };
  }

  /** Whose place this is. */
  at(place: number): Todo | undefined {
    return (this.#swept[place] ?? this.#looked[place - this.#swept.length])?.todo;
  }

  /** Every answer of a reply, in order: a finding, or what is remembered and still holds. */
  take(reply: LookReply, onAnswer: (todo: Todo, answer: Finding | Remembered) => void): void {
    let next = 0;
    for (; this.#taken < reply.doneTo; this.#taken += 1) {
      const swept = this.#swept[this.#taken];
      const todo = this.at(this.#taken);
      const found = reply.findings[next];
      const isFound = found?.place === this.#taken;
      if (isFound) next += 1;
      const answer = isFound ? found.finding : swept?.known;
      if (todo !== undefined && answer !== undefined) onAnswer(todo, answer);
    }
  }
}
