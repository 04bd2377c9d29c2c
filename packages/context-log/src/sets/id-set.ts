import { NumberColumn } from "../number-column.ts";
import type { IdTable } from "./id-table.ts";

/** A set of ids in order of entry that takes some five bytes for each: for the index, which never shrinks. */
export class IdSet implements Set<string> {
  readonly [Symbol.toStringTag] = "IdSet";
  readonly #ids: IdTable;
  #order = new NumberColumn(new Uint32Array());
  #members = new NumberColumn(new Uint8Array());

  constructor(ids: IdTable) {
    this.#ids = ids;
  }

  get size(): number {
    return this.#order.length;
  }

  has(id: string): boolean {
    return this.#members.at(this.#ids.numberOf(id)) === 1;
  }

  add(id: string): this {
    const number = this.#ids.give(id);
    if (this.#members.at(number) === 1) return this;
    this.#members.set(number, 1);
    this.#order.push(number);
    return this;
  }

  /** Looks through all of them: what is taken out often is no case for this set. */
  delete(id: string): boolean {
    if (!this.has(id)) return false;
    const number = this.#ids.numberOf(id);
    this.#members.set(number, 0);
    let place = 0;
    while (this.#order.at(place) !== number) place += 1;
    this.#order.remove(place);
    return true;
  }

  /** The number of the member at a place, in the table of ids. */
  numberAt(place: number): number {
    return this.#order.at(place);
  }

  clear(): void {
    this.#order.clear();
    this.#members.clear();
  }

  copy(): IdSet {
    const copy = new IdSet(this.#ids);
    copy.#order = this.#order.copy();
    copy.#members = this.#members.copy();
    return copy;
  }

  *values(): Generator<string, undefined> {
    for (let place = 0; place < this.#order.length; place += 1) yield this.#ids.id(this.#order.at(place));
  }

  keys(): Generator<string, undefined> {
    return this.values();
  }

  *entries(): Generator<[string, string], undefined> {
    for (const id of this.values()) yield [id, id];
  }

  [Symbol.iterator](): Generator<string, undefined> {
    return this.values();
  }

  forEach(callback: (value: string, key: string, set: Set<string>) => void, thisArg?: unknown): void {
    for (const id of this.values()) callback.call(thisArg, id, id, this);
  }
}
