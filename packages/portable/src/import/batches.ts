import type { ObjectDocument, Write } from "@cm/object-model";
import { limits } from "../limits.ts";

/** Writes that go into one commit, and from when they hold; undefined: from when they are written. */
export interface Batch {
  readonly writes: readonly Write[];
  readonly validTimeMs: number | undefined;
}

interface Addition {
  readonly write: Write;
  readonly validTimeMs: number | undefined;
  readonly bytes: number;
}

/**
 * Gathers writes into commits, in their order. One commit has one valid time and no object twice, and it is bounded.
 * Objects without a source have no valid time of their own, so they go along with anything that has none.
 */
export class Batches {
  #writes: Write[] = [];
  readonly #ids = new Set<string>();
  #validTimeMs: number | undefined;
  #bytes = 0;

  /** The commit that has to be made before this write can be added, if any. */
  before({ write, validTimeMs, bytes }: Addition): Batch | undefined {
    const fits =
      this.#writes.length === 0 ||
      (this.#validTimeMs === validTimeMs &&
        !this.#ids.has(write.document["xt/id"]) &&
        this.#writes.length < limits.commitWritesMax &&
        this.#bytes + bytes <= limits.commitBytesMax);
    return fits ? undefined : this.take();
  }

  add({ write, validTimeMs, bytes }: Addition): void {
    this.#writes.push(write);
    this.#ids.add(write.document["xt/id"]);
    this.#validTimeMs = validTimeMs;
    this.#bytes += bytes;
  }

  has(matches: (document: ObjectDocument) => boolean): boolean {
    return this.#writes.some(({ document }) => matches(document));
  }

  /** The rest; undefined if empty. */
  take(): Batch | undefined {
    if (this.#writes.length === 0) return undefined;
    const batch = { writes: this.#writes, validTimeMs: this.#validTimeMs };
    this.#writes = [];
    this.#ids.clear();
    this.#bytes = 0;
    this.#validTimeMs = undefined;
    return batch;
  }
}
