import type { ObjectDocument } from "../documents/document.ts";
import type { Erasure } from "./contract.ts";
import { holdingAt, newestFirst, type TimelinePlace } from "./timeline.ts";

/** One version of one object, with both its times. */
export interface TimelineVersion extends TimelinePlace {
  readonly id: string;
  readonly serial: number;
  readonly transactionMs: number;
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

  at(moment: TimelinePlace): TimelineVersion | undefined {
    return holdingAt(this.#fromNewest(), moment);
  }

  add(added: TimelineVersion): void {
    const before = this.#versions.findLastIndex((version) => newestFirst(version, added) >= 0);
    this.#versions.splice(before + 1, 0, added);
    this.#newestWrite = added;
  }

  erase(erased: Erasure, concerns: (version: TimelineVersion) => boolean): void {
    for (const [place, version] of this.#versions.entries()) {
      if (version.erased !== undefined || !concerns(version)) continue;
      const gone = { ...version, digest: null, document: undefined, erased };
      this.#versions[place] = gone;
      if (this.#newestWrite === version) this.#newestWrite = gone;
    }
  }

  *#fromNewest(): Generator<TimelineVersion> {
    for (let place = this.#versions.length - 1; place >= 0; place -= 1) yield this.#versions[place] as TimelineVersion;
  }
}
