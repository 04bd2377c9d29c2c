import { groups, type Places } from "./trigrams.ts";

/** Texts in the index together, by the range of their numbers. */
export interface BlockRange {
  readonly from: number;
  readonly through: number;
}

/** A group's entry in a block: which of its texts have which places of the group. */
export interface BlockEntry {
  readonly group: number;
  readonly texts: Uint8Array;
}

/** A block as it is being made. An entry has for each text the distance from the one before, seven bits a byte, and its mask. */
export class BlockBuilder {
  readonly #entries = Array.from({ length: groups }, (): number[] => []);
  readonly #last: Int32Array;

  constructor(range: BlockRange) {
    this.#last = new Int32Array(groups).fill(range.from - 1);
  }

  /** Texts come by their numbers, ascending. */
  add(text: number, { masks, touched }: Places): void {
    for (const group of touched) {
      const entry = this.#entries[group] ?? [];
      let distance = text - (this.#last[group] ?? 0);
      while (distance > 0x7f) {
        entry.push((distance & 0x7f) | 0x80);
        distance >>>= 7;
      }
      entry.push(distance, masks[group] ?? 0);
      this.#last[group] = text;
    }
  }

  entries(): readonly BlockEntry[] {
    return this.#entries.flatMap((bytes, group) =>
      bytes.length === 0 ? [] : [{ group, texts: Uint8Array.from(bytes) }],
    );
  }
}

/** The numbers of the texts in a block's entry that have all asked places of the group. */
export function textsWith({ from }: BlockRange, entry: Uint8Array, asked: number): readonly number[] {
  const found: number[] = [];
  let text = from - 1;
  for (let at = 0; at < entry.length; ) {
    let [distance, shift] = [0, 0];
    for (let isMore = true; isMore; shift += 7) {
      const byte = entry[at] ?? 0;
      at += 1;
      distance |= (byte & 0x7f) << shift;
      isMore = byte > 0x7f;
    }
    text += distance;
    if (((entry[at] ?? 0) & asked) === asked) found.push(text);
    at += 1;
  }
  return found;
}
