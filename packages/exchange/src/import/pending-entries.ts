import { createHash } from "node:crypto";
import type { Group, Said } from "./position.ts";
import type { Piece } from "./session-source.ts";

/** An entry that waits for its part of the journal: the texts of its step are known by then. */
export interface PendingEntry {
  readonly entry: NonNullable<Piece["entry"]>;
  readonly group: Group | undefined;
  readonly said: Said | undefined;
}

/** A place in the file, by what stands before it. */
export interface FilePlace {
  /** Of the file. */
  readonly entries: number;
  /** The SHA-256 of all that they say, in hex. */
  readonly sum: string;
  /** Those that the store had not when the import began, and their characters. */
  readonly added: number;
  readonly chars: number;
}

/** The entries of a file as they are read, and those that no commit has written yet. */
export class PendingEntries {
  readonly #sum = createHash("sha256");
  #pending: PendingEntry[] = [];
  #count = 0;
  #added = 0;
  #chars = 0;
  #written: FilePlace = this.place;

  /** All that were read. */
  get count(): number {
    return this.#count;
  }

  /** The SHA-256 of all that was read, in hex. */
  get sum(): string {
    return this.#sum.copy().digest("hex");
  }

  /** Behind all that was read. */
  get place(): FilePlace {
    return { entries: this.#count, sum: this.sum, added: this.#added, chars: this.#chars };
  }

  /** Characters of what no commit has written. */
  get chars(): number {
    return this.#chars - this.#written.chars;
  }

  /** An entry was read. */
  read(said: string): void {
    this.#sum.update(said).update("\n");
    this.#count += 1;
  }

  /** The entry that was read is new. @param pending undefined where the steps say all of it */
  add(said: string, pending: PendingEntry | undefined): void {
    this.#chars += said.length;
    if (pending === undefined) return;
    this.#added += 1;
    this.#pending.push(pending);
  }

  /** What a commit writes: up to a place, or up to what was written, where that is behind it. */
  take(until: FilePlace): { readonly place: FilePlace; readonly pending: readonly PendingEntry[] } {
    const place = until.entries < this.#written.entries ? this.#written : until;
    const pending = this.#pending.splice(0, place.added - this.#written.added);
    this.#written = place;
    return { place, pending };
  }
}
