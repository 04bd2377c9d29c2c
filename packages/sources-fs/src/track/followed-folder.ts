import { realpath, stat } from "node:fs/promises";
import { trackLimits as limits } from "../limits.ts";
import { within } from "./concurrency.ts";
import type { FollowedFile } from "./followed-file.ts";
import { lostReason, lostReasons } from "./lost-reasons.ts";
import type { Scannable } from "./settle-loop.ts";
import type { TrackingEvent } from "./transitions.ts";
import type { FolderWatch, WatchFolder } from "./watch-folder.ts";

/** The interface of the tracker for a folder. */
export interface FolderSurroundings {
  readonly watch: WatchFolder;
  readonly retryMs: number;
  readonly auditMs: number;
  /** Takes one of the watches that the tracker may have; false if none is left. */
  takeWatch(): boolean;
  giveWatch(): void;
  touch(thing: Scannable): void;
  /** Plans a check of this folder at that time of `performance.now()`. */
  plan(at: number): void;
}

/** Names as the system may report them: some file systems keep another case or another form of accents. */
const folded = (name: string): string => name.normalize("NFC").toLowerCase();

/**
 * A folder with followed files, and the life of its watch. The folder may vanish, come back, or be replaced by another
 * one under the same name; each time all its files are hinted, because missed changes are unknown.
 */
export class FollowedFolder implements Scannable {
  readonly path: string;
  readonly #around: FolderSurroundings;
  readonly #files = new Map<string, Set<FollowedFile>>();
  #watch: FolderWatch | undefined;
  /** Device and inode behind the watch. */
  #identity = "";
  #lost: string | undefined;
  #turn: Promise<void> = Promise.resolve();
  #failures = 0;
  #ended = false;
  /** The time of the next scan without an event; milliseconds of `performance.now()`. */
  nextLookAt = Number.POSITIVE_INFINITY;

  constructor(path: string, around: FolderSurroundings) {
    this.path = path;
    this.#around = around;
  }

  get watched(): boolean {
    return this.#watch !== undefined;
  }

  /** Why it is not watched, after an attempt. */
  get lost(): string | undefined {
    return this.#lost;
  }

  add(name: string, file: FollowedFile): void {
    const key = folded(name);
    const known = this.#files.get(key);
    if (known === undefined) this.#files.set(key, new Set([file]));
    else known.add(file);
  }

  /** After an event of the folder itself: the watch cannot be trusted any more, so a new one is made. */
  scan(): Promise<void> {
    return this.#next(() => this.#renew());
  }

  /** Makes a watch if there is none, and checks that the one there is still on the folder of this name. */
  check(): Promise<void> {
    return this.#next(async () => {
      if (this.#watch === undefined) await this.#renew();
      else if ((await identityOf(this.path).catch(() => undefined)) !== this.#identity) await this.#renew();
      else this.#plan();
    });
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#next(() => this.#drop({ isStale: false }));
  }

  /** One operation at a time: two at once could leave a watch open. */
  #next(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work, work);
    return this.#turn;
  }

  async #renew(): Promise<void> {
    const again = this.#watch !== undefined || this.#lost !== undefined;
    await this.#drop({ isStale: true });
    if (this.#ended) return;
    const failure = await this.#open();
    if (this.#ended) return this.#drop({ isStale: false });
    const before = this.#lost;
    this.#lost = failure;
    this.#failures = failure === undefined ? 0 : this.#failures + 1;
    this.#plan();
    this.#tell(failure === undefined ? { kind: "watched" } : { kind: "lost", reason: failure });
    // Not at the first attempt, when nothing was missed yet, and not while it stays lost.
    if (again && (failure === undefined || failure !== before)) this.#touchAll();
  }

  /** The reason why it did not work out, or undefined. */
  async #open(): Promise<string | undefined> {
    try {
      const real = await within(limits.lookMs, realpath(this.path));
      const before = await identityOf(real);
      if (!this.#around.takeWatch()) return lostReasons.noWatches;
      try {
        this.#watch = await this.#around.watch(real, {
          onName: (name) => this.#named(name),
          onFolder: () => this.#around.touch(this),
          onFailure: () => this.#around.touch(this),
        });
      } catch (error) {
        this.#around.giveWatch();
        throw error;
      }
      this.#identity = before;
      // The folder was replaced while the watch was created, so the watched one is unknown.
      if ((await identityOf(this.path)) === before) return undefined;
      await this.#drop({ isStale: true });
      return lostReasons.folderGone;
    } catch (error) {
      await this.#drop({ isStale: true });
      return lostReason(error);
    }
  }

  async #drop(options: { readonly isStale: boolean }): Promise<void> {
    const watch = this.#watch;
    if (watch === undefined) return;
    this.#watch = undefined;
    this.#around.giveWatch();
    // Errors of the closing watch are irrelevant.
    await watch.close(options).catch(() => undefined);
  }

  #plan(): void {
    this.nextLookAt = performance.now() + this.#patienceMs();
    this.#around.plan(this.nextLookAt);
  }

  /**
   * A missing folder may be back at once (`git checkout`), or never. Asking whether there are watches again is cheap. A
   * refusal for other reasons rarely changes, and a huge folder may take long to fail again.
   */
  #patienceMs(): number {
    const { auditMs, retryMs } = this.#around;
    const doubled = 2 ** Math.min(this.#failures - 1, 20);
    switch (this.#lost) {
      case undefined:
        return auditMs;
      case lostReasons.noWatches:
        return retryMs;
      case lostReasons.folderGone:
        return Math.min(limits.goneRetryMs * doubled, retryMs);
      default:
        return Math.min(retryMs * doubled, limits.refusedRetryMs);
    }
  }

  #named(name: string): void {
    for (const file of this.#files.get(folded(name)) ?? []) this.#around.touch(file);
  }

  #touchAll(): void {
    for (const files of this.#files.values()) for (const file of files) this.#around.touch(file);
  }

  #tell(event: TrackingEvent): void {
    for (const files of this.#files.values()) for (const file of files) file.happened(event);
  }
}

async function identityOf(path: string): Promise<string> {
  const found = await within(limits.lookMs, stat(path));
  if (!found.isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  return `${found.dev}:${found.ino}`;
}
