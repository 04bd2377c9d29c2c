import { basename, dirname } from "node:path/posix";
import type { FilesystemBinding, Tracked, Tracker } from "@cm/object-model";
import { trackLimits as limits } from "../limits.ts";
import { forEachConcurrently } from "./concurrency.ts";
import { fileFact, possiblyChanged } from "./file-fact.ts";
import { FolderRounds } from "./folder-rounds.ts";
import { FollowedFile } from "./followed-file.ts";
import { FollowedFolder } from "./followed-folder.ts";
import { lostReasons } from "./lost-reasons.ts";
import { SettleLoop } from "./settle-loop.ts";
import { sharedWatch } from "./shared-watch.ts";
import type { WatchFolder } from "./watch-folder.ts";

export interface TrackerOptions {
  /** The local path of a binding, or the reason without one: the words of `unreachable`. */
  readonly localPathOf: (binding: FilesystemBinding) => { readonly path: string } | { readonly unreachable: string };
  /** "Scan again." Never called before the path had `settleMs` of quiet, or `settleWaitMs` have passed. */
  readonly onHint: (binding: FilesystemBinding) => void;
  /** How one folder is watched. Default: chokidar. */
  readonly watch?: WatchFolder;
  readonly settleMs?: number;
  readonly settleWaitMs?: number;
  readonly watchedFoldersMax?: number;
  readonly retryMs?: number;
  readonly auditMs?: number;
}

/**
 * Follows files by watching their folders, never a tree (SSOT 5.8, 5.9). It can be late, never wrong: a hint says
 * "scan again". Where there is no watch (limit reached, folder gone, not permitted) the file is `orphaned`, the sweep
 * before a step still sees it, and the others are followed on.
 */
export function openTracker(options: TrackerOptions): Tracker<FilesystemBinding> {
  return new FolderTracker(options);
}

class FolderTracker implements Tracker<FilesystemBinding> {
  readonly #options: TrackerOptions;
  readonly #files = new Map<string, FollowedFile>();
  readonly #folders = new Map<string, FollowedFolder>();
  readonly #loop: SettleLoop;
  readonly #rounds: FolderRounds;
  readonly #settleMs: number;
  #watches = 0;
  #closed = false;

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.#settleMs = options.settleMs ?? limits.settleMs;
    this.#loop = new SettleLoop({
      settleMs: this.#settleMs,
      settleWaitMs: options.settleWaitMs ?? limits.settleWaitMs,
    });
    this.#rounds = new FolderRounds(() => this.#folders.values());
  }

  async follow(bindings: readonly FilesystemBinding[]): Promise<void> {
    const placed = bindings.map((binding) => this.#fileOf(binding)).filter((file) => this.#place(file));
    // A second call retries what has no watch, and leaves the rest alone.
    const unwatched = placed.filter((file) => file.place?.folder.watched !== true || file.status.state === "unchecked");
    await forEachConcurrently(limits.looksAtOnceMax, unwatched, async (file) => {
      if (file.place !== undefined) file.fact ??= await fileFact(file.place.path);
    });
    const folders = new Set(unwatched.flatMap(({ place }) => (place === undefined ? [] : [place.folder])));
    await forEachConcurrently(limits.foldersAtOnceMax, folders, (folder) => folder.check());
    for (const file of unwatched) if (file.place?.folder.watched === true) file.happened({ kind: "watched" });
    // A change between the first scan and the watch has no event.
    await this.#compare(unwatched);
  }

  states(): readonly Tracked<FilesystemBinding>[] {
    return Array.from(this.#files.values(), (file) => file.tracked());
  }

  /**
   * inotify cannot tell whether it has delivered everything, and a marker file in the user's folder is not acceptable.
   * So the events get their settle time, and then every followed file is compared with what it was when it was last
   * hinted: a change whose event is late, merged away or lost to a full queue shows in inode, size or times, and is
   * hinted for that. Where two changes may share their times (`racy`), the file is hinted once more. Last, what waits
   * in the settle queue is waited for. Each part has a bound.
   */
  async settled(): Promise<void> {
    if (this.#closed) return;
    await new Promise((resolve) => setTimeout(resolve, this.#settleMs));
    await forEachConcurrently(limits.foldersAtOnceMax, this.#folders.values(), (folder) => folder.check());
    await this.#compare(this.#files.values());
    await this.#loop.flushed(limits.settledMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rounds.close();
    this.#loop.close();
    for (const file of this.#files.values()) file.happened({ kind: "closed" });
    await forEachConcurrently(limits.foldersAtOnceMax, this.#folders.values(), (folder) => folder.close());
  }

  #fileOf(binding: FilesystemBinding): FollowedFile {
    const key = `${binding.filesystemId}\0${binding.path}`;
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const file = new FollowedFile(binding, (hinted) => {
      if (!this.#closed) this.#options.onHint(hinted);
    });
    this.#files.set(key, file);
    return file;
  }

  /** Finds the file's folder; false, and orphaned, where there is none for this client. */
  #place(file: FollowedFile): boolean {
    if (this.#closed) file.happened({ kind: "closed" });
    else if (file.place === undefined) {
      if (this.#files.size > limits.followedFilesMax) file.happened({ kind: "lost", reason: lostReasons.tooMany });
      else {
        const found = this.#options.localPathOf(file.binding);
        if ("unreachable" in found) file.happened({ kind: "lost", reason: found.unreachable });
        else {
          const folder = this.#folderOf(dirname(found.path));
          folder.add(basename(found.path), file);
          file.place = { path: found.path, folder };
        }
      }
    }
    return file.place !== undefined && !this.#closed;
  }

  #folderOf(path: string): FollowedFolder {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const folder = new FollowedFolder(path, {
      watch: this.#options.watch ?? sharedWatch,
      retryMs: this.#options.retryMs ?? limits.retryMs,
      auditMs: this.#options.auditMs ?? limits.auditMs,
      takeWatch: () => {
        if (this.#watches >= (this.#options.watchedFoldersMax ?? limits.watchedFoldersMax)) return false;
        this.#watches += 1;
        return true;
      },
      giveWatch: () => {
        this.#watches -= 1;
      },
      touch: (thing) => this.#loop.touch(thing),
      plan: (at) => this.#rounds.plan(at),
    });
    this.#folders.set(path, folder);
    return folder;
  }

  async #compare(files: Iterable<FollowedFile>): Promise<void> {
    const until = performance.now() + limits.settledMs;
    await forEachConcurrently(limits.looksAtOnceMax, files, async (file) => {
      if (file.place === undefined || this.#closed) return;
      const late = performance.now() > until;
      if (late || possiblyChanged(file.fact, await fileFact(file.place.path))) this.#loop.touch(file);
    });
  }
}
