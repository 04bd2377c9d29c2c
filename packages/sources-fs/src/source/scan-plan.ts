import type { FilesystemBinding, ObserveRequest } from "@cm/object-model";
import type { Finding, ScanItem, ScanReply, ScanTask } from "../indexing/messages.ts";
import type { Remembered } from "./state-origins.ts";

/** A request that has no answer yet. */
export interface PendingRequest {
  readonly place: number;
  readonly request: ObserveRequest<FilesystemBinding>;
  /** It was missing: a further scan decides. */
  readonly confirm: boolean;
  /** no scan follows after this one. */
  readonly last: boolean;
}

export interface ResultHandlers {
  readonly onFinding: (place: number, finding: Finding) => void;
  /** The remembered state is still valid. */
  readonly onUnchanged: (place: number, known: Remembered) => void;
}

/**
 * One task for a reading thread, and which of its places is whose. Plain lists of numbers and states: a sweep has tens
 * of thousands of places, and its cost beside the scans themselves is paid here.
 */
export class ScanPlan {
  readonly #sweptPlaces: number[] = [];
  readonly #swept: Remembered[] = [];
  readonly #itemPlaces: number[] = [];
  readonly #items: ScanItem[] = [];
  #taken = 0;

  sweep(place: number, known: Remembered): void {
    this.#sweptPlaces.push(place);
    this.#swept.push(known);
  }

  scan({ place, request, confirm, last }: PendingRequest, path: string): void {
    const item: { -readonly [Name in keyof ScanItem]: ScanItem[Name] } = { path };
    const { hint, sourceHash } = request.known ?? {};
    if (hint !== undefined) item.hint = hint;
    if (sourceHash !== undefined) item.sourceHash = sourceHash;
    if (request.want === "existence") item.existence = true;
    if (confirm) item.confirm = true;
    if (last) item.last = true;
    this.#itemPlaces.push(place);
    this.#items.push(item);
  }

  task(contentBytesMax: number): ScanTask {
    const sweep = new Int32Array(this.#swept.length * 2);
    for (const [n, known] of this.#swept.entries()) {
      sweep[2 * n] = known.slot;
      sweep[2 * n + 1] = known.generation;
    }
    return { kind: "scan", contentBytesMax, sweep, items: this.#items };
  }

  /** Which request stands at this place of the task. */
  placeOf(n: number): number | undefined {
    return n < this.#swept.length ? this.#sweptPlaces[n] : this.#itemPlaces[n - this.#swept.length];
  }

  /** Every answer of a reply, in the order of the task. */
  take({ doneTo, findings }: ScanReply, { onFinding, onUnchanged }: ResultHandlers): void {
    let next = 0;
    for (let n = this.#taken; n < doneTo; n += 1) {
      const place = this.placeOf(n);
      const found = findings[next];
      if (place === undefined) continue;
      if (found?.place === n) {
        next += 1;
        onFinding(place, found.finding);
        continue;
      }
      const known = this.#swept[n];
      if (known !== undefined) onUnchanged(place, known);
    }
    this.#taken = doneTo;
  }
}
