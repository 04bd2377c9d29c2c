import type { Erasure } from "../contracts/object-store.ts";
import type { ObjectDocument } from "../documents/document.ts";
import { contentDigestOf } from "../documents/seal.ts";

/** One version of one object, with both its times. */
export interface TimelineVersion {
  readonly serial: number;
  readonly transaction: number;
  readonly transactionTimeMs: number;
  readonly validFromMs: number;
  readonly contentHash: string;
  /** SHA-256 of the text, kept only while the document is: it finds the other versions with the same text. */
  readonly digest: string | null;
  readonly document: ObjectDocument | undefined;
  readonly erased: Erasure | undefined;
}

/** Everything that was ever written about one object, by valid time and then transaction. Most writes are the newest. */
export class Timeline {
  /** The newest one last, so that a write costs the same however many came before it. */
  readonly #versions: TimelineVersion[] = [];
  #newestWrite: TimelineVersion | undefined;

  /** The newest write, whatever its valid time: what expectations are held against. */
  get newestWrite(): TimelineVersion | undefined {
    return this.#newestWrite;
  }

  newestFirst(): readonly TimelineVersion[] {
    return this.#versions.toReversed();
  }

  /** The version that holds: greatest valid time not after the asked one, among equal ones the latest transaction. */
  at(validTimeMs: number, transaction: number): TimelineVersion | undefined {
    return this.#versions.findLast(
      (version) => version.validFromMs <= validTimeMs && version.transaction <= transaction,
    );
  }

  add(added: TimelineVersion): void {
    const before = this.#versions.findLastIndex((version) => !isNewer(version, added));
    this.#versions.splice(before + 1, 0, added);
    this.#newestWrite = added;
  }

  /** False where there was nothing to take. */
  erase(erased: Erasure, concerns: (version: TimelineVersion) => boolean): boolean {
    let hasErased = false;
    for (const [place, version] of this.#versions.entries()) {
      if (version.erased !== undefined || !concerns(version)) continue;
      const gone = { ...version, digest: null, document: undefined, erased };
      this.#versions[place] = gone;
      if (this.#newestWrite === version) this.#newestWrite = gone;
      hasErased = true;
    }
    return hasErased;
  }
}

export function digestForErasure(document: ObjectDocument): string | null {
  return document.content === "" ? null : contentDigestOf(document);
}

function isNewer(a: TimelineVersion, b: TimelineVersion): boolean {
  return a.validFromMs > b.validFromMs || (a.validFromMs === b.validFromMs && a.transaction > b.transaction);
}
