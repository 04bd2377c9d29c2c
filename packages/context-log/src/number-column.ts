type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Numbers by their places, in one block of memory that grows by a quarter: a session has several for each of its steps. */
export class NumberColumn {
  #numbers: Numbers;
  #length = 0;

  /** @param room the kind of numbers, empty; what a place was never given is 0 */
  constructor(room: Numbers) {
    this.#numbers = room;
  }

  get length(): number {
    return this.#length;
  }

  /** 0 outside the column. */
  at(place: number): number {
    return this.#numbers[place] ?? 0;
  }

  push(value: number): void {
    this.set(this.#length, value);
  }

  set(place: number, value: number): void {
    this.reserve(place + 1);
    this.#numbers[place] = value;
    this.#length = Math.max(this.#length, place + 1);
  }

  /** Room for so many numbers at once, before they come one by one. */
  reserve(count: number): void {
    if (count > this.#numbers.length) this.#numbers = grown(this.#numbers, Math.ceil(count * 1.25));
  }

  /** Takes a number out; those behind it move up. */
  remove(place: number): void {
    this.#numbers.copyWithin(place, place + 1, this.#length);
    this.#length -= 1;
    this.#numbers[this.#length] = 0;
  }

  clear(): void {
    this.#numbers.fill(0);
    this.#length = 0;
  }

  copy(): NumberColumn {
    const copy = new NumberColumn(grown(this.#numbers, this.#length));
    copy.#length = this.#length;
    return copy;
  }
}

function grown(numbers: Numbers, room: number): Numbers {
  const more = new (numbers.constructor as new (length: number) => Numbers)(room);
  more.set(numbers.subarray(0, Math.min(numbers.length, room)));
  return more;
}
