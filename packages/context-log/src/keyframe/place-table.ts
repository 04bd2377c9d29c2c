import type { JsonValue } from "@cm/object-model";
import type { Key, Table } from "./flat-state.ts";
import { type Runs, runsOf } from "./runs.ts";

/**
 * A table whose keys are places, nearly all that there are: entries that left a log, calls that left the prompt. A long
 * session has tens of thousands, so it is a list, which needs no sorting and is copied at once.
 */
export class PlaceTable implements Table {
  readonly #values: (JsonValue | undefined)[];
  readonly #placesMax: number;
  #size = 0;

  /** @param placesMax no member has a place from here on */
  constructor(placesMax: number, before?: Table) {
    this.#placesMax = placesMax;
    this.#values = before instanceof PlaceTable ? before.#values.slice() : [];
    if (before instanceof PlaceTable) this.#size = before.#size;
    else for (const [place, value] of before ?? []) this.set(place, value);
  }

  get size(): number {
    return this.#size;
  }

  get runs(): Runs {
    return runsOf(this.keys());
  }

  has(place: Key): boolean {
    return this.get(place) !== undefined;
  }

  get(place: Key): JsonValue | undefined {
    return this.#values[place as number];
  }

  /** @throws TypeError for what is no place of the state */
  set(place: Key, value: JsonValue): void {
    if (typeof place !== "number" || !Number.isInteger(place) || !(place >= 0 && place < this.#placesMax))
      throw new TypeError("A member of a keyframe has no place.");
    // Without a hole: V8 keeps a list that has far ones as a map.
    for (let next = this.#values.length; next < place; next += 1) this.#values.push(undefined);
    if (this.#values[place] === undefined) this.#size += 1;
    this.#values[place] = value;
  }

  delete(place: Key): void {
    if (!this.has(place)) return;
    this.#values[place as number] = undefined;
    this.#size -= 1;
  }

  *keys(): Generator<number, undefined> {
    for (let place = 0; place < this.#values.length; place += 1) if (this.#values[place] !== undefined) yield place;
  }

  *[Symbol.iterator](): Generator<readonly [number, JsonValue], undefined> {
    for (const [place, value] of this.#values.entries()) if (value !== undefined) yield [place, value];
  }
}
