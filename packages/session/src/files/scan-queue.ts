import type { Observation } from "@cm/object-model";
import { type KnownFile, knownStateOf } from "./known-file.ts";
import type { LookRequest } from "./scan.ts";

/**
 * Files to look at, with the requests for it. All known files are looked at before each request, so the requests are
 * kept, and an answer that is the very same as last time needs no second thought.
 */
export class ScanQueue {
  readonly files: KnownFile[] = [];
  readonly requests: LookRequest[] = [];
  readonly #places = new Map<string, number>();
  readonly #settled: (Observation | undefined)[] = [];
  readonly #outOfReach = new Set<string>();

  /** Whether somebody can look at all of them. */
  get isReached(): boolean {
    return this.#outOfReach.size === 0;
  }

  /** Adds a file, or takes over what is known of it now. */
  set(file: KnownFile): void {
    const { id, binding } = file;
    const place = this.#places.get(id) ?? this.files.length;
    const known = knownStateOf(file);
    this.#places.set(id, place);
    this.files[place] = file;
    // The very same request as long as the same is known: a look that is under way still answers it.
    const before = this.requests[place];
    if (before === undefined || before.known !== known || before.binding !== binding) {
      this.requests[place] = known === undefined ? { id, binding } : { id, binding, known };
    }
    this.#settled[place] = undefined;
    if (file.reached && file.last !== "unreachable") this.#outOfReach.delete(id);
    else this.#outOfReach.add(id);
  }

  /** Remembers an answer that said nothing new of the file as it is known now. */
  settle(place: number, answer: Observation): void {
    if (answer.kind === "unchanged") this.#settled[place] = answer;
  }

  isSettled(place: number, answer: Observation): boolean {
    return this.#settled[place] === answer;
  }
}
