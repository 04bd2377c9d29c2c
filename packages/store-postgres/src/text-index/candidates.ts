import { type BlockRange, textsWith } from "./block.ts";

/** What the index has of some groups, at one moment. */
export interface IndexAnswer {
  /** The newest text then. */
  readonly last: number;
  readonly blocks: readonly BlockRange[];
  readonly entries: readonly { readonly from: number; readonly group: number; readonly texts: Uint8Array }[];
}

/**
 * The texts that may have a piece, as a bit for each number: those that have all its places, and all that are in no block. Texts
 * beyond `last` may have it, too.
 */
export class Candidates {
  readonly last: number;
  /** Bit n of byte k is text 8k + n. */
  readonly bits: Uint8Array;
  /** Texts in no block, those that are not there any more included. */
  readonly unindexed: number;

  constructor({ last, blocks, entries }: IndexAnswer, asked: ReadonlyMap<number, number>) {
    this.last = last;
    this.bits = new Uint8Array((last >>> 3) + 1);
    let unindexed = 0;
    let after = 0;
    for (const { from, through } of [...blocks, { from: last + 1, through: last }]) {
      for (let text = after + 1; text < from; text += 1) this.#set(text);
      unindexed += Math.max(0, from - after - 1);
      after = through;
    }
    this.unindexed = unindexed;
    const byPlace = new Map(entries.map((entry) => [`${entry.from} ${entry.group}`, entry.texts]));
    for (const block of blocks) for (const text of textsOf(block, byPlace, asked)) this.#set(text);
  }

  /** Their numbers, unless they are more. */
  few(most: number): readonly number[] | undefined {
    const texts: number[] = [];
    for (const [place, byte] of this.bits.entries()) {
      for (let rest = byte; rest > 0; rest &= rest - 1) texts.push(8 * place + 31 - Math.clz32(rest & -rest));
      if (texts.length > most) return undefined;
    }
    return texts;
  }

  #set(text: number): void {
    this.bits[text >>> 3] = (this.bits[text >>> 3] ?? 0) | (1 << (text & 7));
  }
}

function textsOf(
  block: BlockRange,
  entries: ReadonlyMap<string, Uint8Array>,
  asked: ReadonlyMap<number, number>,
): Iterable<number> {
  let left: ReadonlySet<number> | undefined;
  for (const [group, bits] of asked) {
    const entry = entries.get(`${block.from} ${group}`);
    if (entry === undefined) return [];
    const found = textsWith(block, entry, bits);
    const before = left;
    left = new Set(before === undefined ? found : found.filter((text) => before.has(text)));
    if (left.size === 0) return [];
  }
  return left ?? [];
}
