import { NumberColumn } from "../number-column.ts";

const slotsAtFirst = 256;
const bytesAtFirst = 4_096;

/**
 * Every id that a session met, once, under a number that stays. A session meets some for each of its steps and forgets
 * none, so an id is the bytes of its characters and not a string with places in maps. Only added to: copies of a state
 * share it.
 */
export class IdTable {
  #bytes = Buffer.alloc(bytesAtFirst);
  readonly #ends = new NumberColumn(new Uint32Array());
  /** Numbers from 1 on, by the hash of the id: open addressing, at most half full. */
  #slots = new Uint32Array(slotsAtFirst);
  /** Ids that are not of characters of one byte. */
  readonly #others = new Map<number, string>();
  /** What was given last: a new object is named by its id several times in a row. */
  #lastId = "";
  #lastNumber = -1;

  /** How many ids it has: numbers are below. */
  get size(): number {
    return this.#ends.length;
  }

  /** The id's number; -1 for one that it does not have, and for what is no string, as a recorded decision may name it. */
  numberOf(id: string): number {
    if (typeof id !== "string") return -1;
    return (this.#slots[this.#slotOf(id)] ?? 0) - 1;
  }

  /** The id's number, given to it now where it is new. */
  give(id: string): number {
    if (id === this.#lastId && this.#lastNumber >= 0) return this.#lastNumber;
    const slot = this.#slotOf(id);
    const known = (this.#slots[slot] ?? 0) - 1;
    const number = known >= 0 ? known : this.#add(id, slot);
    [this.#lastId, this.#lastNumber] = [id, number];
    return number;
  }

  /** @throws RangeError for a number that none has */
  id(number: number): string {
    if (number < 0 || number >= this.size) throw new RangeError(`No id has the number ${number}.`);
    return this.#others.get(number) ?? this.#bytes.toString("latin1", this.#ends.at(number - 1), this.#ends.at(number));
  }

  #add(id: string, slot: number): number {
    const number = this.size;
    this.#append(id, number);
    this.#slots[slot] = number + 1;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #append(id: string, number: number): void {
    const start = this.#ends.at(number - 1);
    if (isOneByte(id)) {
      const end = start + id.length;
      if (end > this.#bytes.length) {
        const bytes = Buffer.alloc(Math.ceil(end * 1.25));
        this.#bytes.copy(bytes);
        this.#bytes = bytes;
      }
      this.#bytes.write(id, start, "latin1");
      this.#ends.push(end);
    } else {
      this.#others.set(number, id);
      this.#ends.push(start);
    }
  }

  /** Where the id stands, or would stand. */
  #slotOf(id: string): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(id) & mask;
    for (;;) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0 || this.#is(number, id)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #is(number: number, id: string): boolean {
    const start = this.#ends.at(number - 1);
    const length = this.#ends.at(number) - start;
    if (length !== id.length) return length === 0 && this.#others.get(number) === id;
    if (length === 0) return !this.#others.has(number);
    for (let place = 0; place < length; place += 1) {
      if (this.#bytes[start + place] !== id.charCodeAt(place)) return false;
    }
    return true;
  }

  /** No two of them are the same, so none is compared. */
  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number += 1) {
      let slot = this.#hashOf(number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }

  #hashOf(number: number): number {
    const other = this.#others.get(number);
    if (other !== undefined) return hashOf(other);
    const end = this.#ends.at(number);
    let hash = hashStart;
    for (let place = this.#ends.at(number - 1); place < end; place += 1) hash = hashed(hash, this.#bytes[place] ?? 0);
    return hashEnd(hash);
  }
}

/** FNV-1a. Ids of hostile calls that meet in one slot cost a walk; their number is that of the session's calls. */
function hashOf(id: string): number {
  let hash = hashStart;
  for (let place = 0; place < id.length; place += 1) hash = hashed(hash, id.charCodeAt(place));
  return hashEnd(hash);
}

const hashStart = 0x811c9dc5;
const hashed = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const hashEnd = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0;

function isOneByte(id: string): boolean {
  for (let place = 0; place < id.length; place += 1) if (id.charCodeAt(place) > 0xff) return false;
  return true;
}
