import { limits } from "../limits.ts";
import { NumberColumn } from "../number-column.ts";
import type { IdTable } from "../sets/id-table.ts";
import type { ViewObject } from "../view.ts";

/** What a row says of its object: nothing, since it is kept as it is, or that it is a call whose text is in the store. */
const states = { asItIs: 0, ok: 1, fail: 2 } as const;
type InStore = ViewObject & Required<Pick<ViewObject, "tool" | "status">>;

/**
 * The objects that a session met, in order of entry. Nearly all of a long session are calls that left the prompt: of
 * those a row has some bytes, and the object is made where it is asked for. All others are kept as they are.
 */
export class ObjectTable implements Map<string, ViewObject> {
  readonly [Symbol.toStringTag] = "ObjectTable";
  readonly #ids: IdTable;
  readonly #asItIs = new Map<string, ViewObject>();
  /** Numbers of ids in order of entry, and the reverse: places from 1 on. */
  #order = new NumberColumn(new Uint32Array());
  #places = new NumberColumn(new Uint32Array());
  #states = new NumberColumn(new Uint8Array());
  #aliases = new NumberColumn(new Uint32Array());
  #tools = new NumberColumn(new Uint16Array());
  #toolNames: string[] = [];

  constructor(ids: IdTable) {
    this.#ids = ids;
  }

  get size(): number {
    return this.#order.length;
  }

  has(id: string): boolean {
    return this.#places.at(this.#ids.numberOf(id)) > 0;
  }

  get(id: string): ViewObject | undefined {
    return this.#asItIs.get(id) ?? this.#inStore(id, this.#places.at(this.#ids.numberOf(id)) - 1);
  }

  set(id: string, object: ViewObject): this {
    const place = this.#placeOf(id);
    const isRow = isInStore(object, id) && this.#setRow(place, object);
    if (isRow) this.#asItIs.delete(id);
    else {
      this.#states.set(place, states.asItIs);
      this.#asItIs.set(id, object);
    }
    return this;
  }

  /**
   * `set` of a call of which nothing is known but what a row has, without making its object.
   * @returns false where it does not fit into a row: then `set` is still to come
   */
  setInStore(
    id: string,
    { alias, tool, status }: Pick<ViewObject, "alias"> & { tool: string; status: string },
  ): boolean {
    if (typeof tool !== "string" || (status !== "ok" && status !== "fail")) return false;
    if (!rowAlias.test(alias) || !this.#setRow(this.#placeOf(id), { alias, tool, status })) return false;
    this.#asItIs.delete(id);
    return true;
  }

  /** Where an id stands in the order of entry; -1 for what no object has. */
  placeOf(id: string): number {
    return this.placeOfNumber(this.#ids.numberOf(id));
  }

  /** As `placeOf`, by the number of an id in the table of ids. */
  placeOfNumber(number: number): number {
    return this.#places.at(number) - 1;
  }

  /** @throws RangeError for a place where none stands */
  idAt(place: number): string {
    return this.#ids.id(this.#order.at(place));
  }

  /** Whether the object's text is in the store alone. */
  isInStore(place: number): boolean {
    return this.#states.at(place) !== states.asItIs || this.#asItIs.get(this.idAt(place))?.inStore === true;
  }

  /** Those that are no rows: all files, calls of which something stands, and a few more. In no order. */
  keptAsTheyAre(): Iterable<readonly [string, ViewObject]> {
    return this.#asItIs.entries();
  }

  /** What a session met it has met for good. */
  delete(): never {
    throw new TypeError("An object that a session met does not leave its table.");
  }

  clear(): never {
    return this.delete();
  }

  copy(): ObjectTable {
    const copy = new ObjectTable(this.#ids);
    for (const [id, object] of this.#asItIs) copy.#asItIs.set(id, object);
    copy.#order = this.#order.copy();
    copy.#places = this.#places.copy();
    copy.#states = this.#states.copy();
    copy.#aliases = this.#aliases.copy();
    copy.#tools = this.#tools.copy();
    copy.#toolNames = [...this.#toolNames];
    return copy;
  }

  *keys(): Generator<string, undefined> {
    for (let place = 0; place < this.size; place += 1) yield this.idAt(place);
  }

  *entries(): Generator<[string, ViewObject], undefined> {
    let place = 0;
    for (const id of this.keys()) {
      const object = this.#inStore(id, place) ?? this.#asItIs.get(id);
      if (object !== undefined) yield [id, object];
      place += 1;
    }
  }

  *values(): Generator<ViewObject, undefined> {
    for (const [, object] of this.entries()) yield object;
  }

  [Symbol.iterator](): Generator<[string, ViewObject], undefined> {
    return this.entries();
  }

  forEach(callback: (object: ViewObject, id: string, map: Map<string, ViewObject>) => void, thisArg?: unknown): void {
    for (const [id, object] of this.entries()) callback.call(thisArg, object, id, this);
  }

  #placeOf(id: string): number {
    const number = this.#ids.give(id);
    const known = this.#places.at(number) - 1;
    if (known >= 0) return known;
    this.#order.push(number);
    this.#places.set(number, this.#order.length);
    return this.#order.length - 1;
  }

  /** False where it does not fit into a row. */
  #setRow(place: number, { alias, tool, status }: Pick<InStore, "alias" | "tool" | "status">): boolean {
    let name = this.#toolNames.indexOf(tool);
    if (name < 0) {
      if (this.#toolNames.length === limits.toolNamesInRowsMax) return false;
      name = this.#toolNames.push(tool) - 1;
    }
    this.#states.set(place, states[status]);
    this.#aliases.set(place, Number(alias.slice(1)));
    this.#tools.set(place, name);
    return true;
  }

  #inStore(id: string, place: number): ViewObject | undefined {
    const state = this.#states.at(place);
    if (state === states.asItIs) return undefined;
    const alias = `t${this.#aliases.at(place)}`;
    const tool = this.#toolNames[this.#tools.at(place)] ?? "";
    const status = state === states.ok ? "ok" : "fail";
    return Object.freeze({ id, alias, kind: "toolcall", text: null, inStore: true, tool, status });
  }
}

const fields = 7;
const rowAlias = /^t[1-9][0-9]{0,8}$/;

/** A call of which nothing is known but what a row has: `inStore` in `reducer/omission.ts` makes it. */
function isInStore(object: ViewObject, id: string): object is InStore {
  const { kind, inStore, text, tool, status, alias } = object;
  if (kind !== "toolcall" || inStore !== true || text !== null || object.id !== id) return false;
  if (tool === undefined || status === undefined || Object.keys(object).length !== fields) return false;
  return rowAlias.test(alias);
}
