import type { Observation, Source } from "@cm/object-model";
import { type Answers, type LookRequest, lookAt } from "./scan.ts";
import type { ScanQueue } from "./scan-queue.ts";

/** A look at a list of files that is under way. */
export class PrefetchScan {
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #list: ScanQueue;
  readonly #requests: readonly LookRequest[];
  readonly #answers: Promise<Answers>;

  constructor(sources: ReadonlyMap<string, Source>, list: ScanQueue) {
    this.#sources = sources;
    this.#list = list;
    // A copy: a source that gave no answer in time may still read it when the next look is made.
    this.#requests = list.requests.slice();
    this.#answers = lookAt(sources, this.#requests);
  }

  /** An answer for each file of the list as it is now; whatever of it is asked in another way by now is looked at again. */
  async answersFor(list: ScanQueue): Promise<Answers> {
    if (list !== this.#list) return lookAt(this.#sources, list.requests.slice());
    const answers = await this.#answers;
    const others = [...list.requests.keys()].filter((place) => list.requests[place] !== this.#requests[place]);
    if (others.length === 0) return answers;
    const all: (Observation | undefined)[] = [...answers];
    const again = others.flatMap((place) => list.requests[place] ?? []);
    const found = await lookAt(this.#sources, again);
    for (const [index, place] of others.entries()) all[place] = found[index];
    return all;
  }
}
