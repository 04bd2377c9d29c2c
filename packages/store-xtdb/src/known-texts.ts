import { LruCache } from "@cm/object-model";
import { storeLimits } from "./limits.ts";

/** Texts that are known to be stored, or to be gone, by their digests. What was met longest ago is forgotten. */
export class KnownTexts {
  /** Those of these that are met again are put to the newer ones, until those are as many as are to be known. */
  #older = new DigestSet();
  #newer = new DigestSet();
  readonly #gone = new LruCache<true>({ weightMax: storeLimits.textsKnownMax });

  isStored(digest: string): boolean {
    if (this.#gone.get(digest) === true) return false;
    if (this.#newer.has(digest)) return true;
    if (!this.#older.has(digest)) return false;
    this.#add(digest);
    return true;
  }

  /** One that is gone stays so. */
  stored(digest: string): void {
    if (this.#gone.get(digest) === undefined && !this.#newer.has(digest)) this.#add(digest);
  }

  gone(digest: string): void {
    this.#gone.set(digest, true);
  }

  #add(digest: string): void {
    if (this.#newer.size === storeLimits.textsKnownMax) {
      [this.#older, this.#newer] = [this.#newer, this.#older];
      this.#newer.clear();
    }
    this.#newer.add(digest);
  }
}

const digestBytes = 32;
const slotCount = 8_192;

/** Up to `textsKnownMax` digests, as their bytes: a string of one with its place in a map takes five times as much. */
class DigestSet {
  /** Made with the first one: many stores are opened to read. */
  #digests: Buffer | undefined;
  /** Numbers from 1 on, by the beginnings of digests: open addressing, less than a third full. */
  #slots = new Uint16Array();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(digest: string): boolean {
    return this.#digests !== undefined && this.#slots[this.#slotOf(this.#digests, Buffer.from(digest, "hex"))] !== 0;
  }

  /** One that is not there yet. */
  add(digest: string): void {
    const bytes = Buffer.from(digest, "hex");
    if (this.#digests === undefined) {
      this.#digests = Buffer.alloc(storeLimits.textsKnownMax * digestBytes);
      this.#slots = new Uint16Array(slotCount);
    }
    this.#slots[this.#slotOf(this.#digests, bytes)] = this.#size + 1;
    bytes.copy(this.#digests, this.#size * digestBytes);
    this.#size += 1;
  }

  clear(): void {
    this.#slots.fill(0);
    this.#size = 0;
  }

  /** Where the digest stands, or would stand. */
  #slotOf(digests: Buffer, bytes: Buffer): number {
    let slot = bytes.readUInt16BE() % slotCount;
    for (;;) {
      const start = ((this.#slots[slot] ?? 0) - 1) * digestBytes;
      if (start < 0 || digests.compare(bytes, 0, digestBytes, start, start + digestBytes) === 0) return slot;
      slot = (slot + 1) % slotCount;
    }
  }
}
