interface Change {
  readonly added?: string[];
  readonly removed?: string[];
}

/** One of a recorded session's sets, for a test to change: each change is an event of its log. */
export class SetOfObjects implements Iterable<string> {
  readonly #members: () => ReadonlySet<string>;
  readonly #move: (change: Change) => void;

  constructor(members: () => ReadonlySet<string>, move: (change: Change) => void) {
    this.#members = members;
    this.#move = move;
  }

  has(id: string): boolean {
    return this.#members().has(id);
  }

  add(id: string): this {
    if (!this.has(id)) this.#move({ added: [id] });
    return this;
  }

  delete(id: string): void {
    if (this.has(id)) this.#move({ removed: [id] });
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#members()[Symbol.iterator]();
  }
}
