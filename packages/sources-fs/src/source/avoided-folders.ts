import { fileLimits as limits } from "../limits.ts";
import { parentOf } from "../mounts/normal-path.ts";

/**
 * Folders in which a scan did not come back, as on a dead mount. For a while nothing is asked of them, so that each
 * sweep does not lose its deadline, and a thread, to them.
 */
export class AvoidedFolders {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The folder of a file that a thread got stuck at. */
  add(path: string): void {
    const folder = parentOf(path);
    if (folder !== undefined && folder !== "/") this.#until.set(folder, this.#now() + limits.avoidMs);
  }

  get isEmpty(): boolean {
    return this.#until.size === 0;
  }

  has(path: string): boolean {
    for (let folder = parentOf(path); folder !== undefined; folder = parentOf(folder)) {
      const until = this.#until.get(folder);
      if (until === undefined) continue;
      if (until > this.#now()) return true;
      this.#until.delete(folder);
    }
    return false;
  }
}
