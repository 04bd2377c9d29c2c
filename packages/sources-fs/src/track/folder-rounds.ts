import { trackLimits as limits } from "../limits.ts";
import { forEachConcurrently } from "./concurrency.ts";
import type { FollowedFolder } from "./followed-folder.ts";
import { lostReasons } from "./lost-reasons.ts";

/** Checks folders from time to time: those that are missing, those without a watch, and whether watches still hold. */
export class FolderRounds {
  readonly #folders: () => Iterable<FollowedFolder>;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(folders: () => Iterable<FollowedFolder>) {
    this.#folders = folders;
  }

  /** A round at `at` (of `performance.now()`), unless an earlier one is planned. */
  plan(at: number): void {
    if (this.#closed || at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => void this.#round(), Math.max(1, Math.ceil(at - performance.now())));
    this.#timer.unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #round(): Promise<void> {
    this.#at = Number.POSITIVE_INFINITY;
    const now = performance.now();
    const due = [...this.#folders()].filter(({ nextLookAt }) => nextLookAt <= now);
    const refused = due.filter(({ lost }) => lost === lostReasons.noWatches);
    await forEachConcurrently(
      limits.foldersAtOnceMax,
      due.filter(({ lost }) => lost !== lostReasons.noWatches),
      (folder) => (this.#closed ? Promise.resolve() : folder.check()),
    );
    // One by one: while the first is still refused, asking for the others would only be noise.
    for (const folder of refused) {
      if (this.#closed) break;
      await folder.check();
      if (folder.lost === lostReasons.noWatches) break;
    }
    for (const { nextLookAt } of this.#folders()) this.plan(Math.max(nextLookAt, now + limits.goneRetryMs));
  }
}
