import type { Source, Tracked, Tracker, TrackingState } from "@cm/object-model";
import type { FileIndex } from "./file-index.ts";
import type { KnownFile, PrefetchScan } from "./known-files.ts";
import { fileIdOf, type IndexedFile } from "./touches.ts";

export interface FileWatchOptions {
  readonly files: FileIndex;
  /** Whether all known files are looked at before each request. */
  readonly sweep: boolean;
  /** The sources whose trackers are asked for hints. */
  readonly tracked: readonly Source[];
}

/** Keeps what is stored equal to what is there: a sweep before each request, and a look sooner where a tracker hints. */
export class FileWatch {
  readonly #options: FileWatchOptions;
  readonly #inTurn: (task: () => Promise<void>) => Promise<void>;
  readonly #followed: FollowedFiles;
  readonly #hinted = new Set<string>();
  /** Versions found since the newest look before a request. */
  #found: IndexedFile[] = [];
  /** Requests that are not made yet. */
  #requests = 0;
  #ahead: PrefetchScan | undefined;
  #closed = false;

  /** @param inTurn runs a look when the session does nothing else */
  constructor(options: FileWatchOptions, inTurn: (task: () => Promise<void>) => Promise<void>) {
    this.#options = options;
    this.#inTurn = inTurn;
    this.#followed = new FollowedFiles(options.tracked, (id) => this.#takeHint(id));
  }

  /** Makes a request, which may have to wait for its turn: until it is made, a look ahead is worth its while. */
  async forRequest<T>(request: () => Promise<T>): Promise<T> {
    this.#requests += 1;
    try {
      return await request();
    } finally {
      this.#requests -= 1;
      this.#ahead = undefined;
    }
  }

  /** Begins the look of a request that waits already. */
  prefetchScan(): void {
    const { files, sweep } = this.#options;
    if (sweep && this.#requests > 0) this.#ahead = files.prefetchScan();
  }

  /**
   * What changed since the last time: the new versions, stored. Should the store fail, nothing of it is lost.
   * @param asked files that are read, too
   */
  async look(asked: readonly string[]): Promise<readonly IndexedFile[]> {
    const { files, sweep } = this.#options;
    if (sweep) {
      this.#add(await files.sweep(undefined, this.#ahead));
      for (const id of asked) await this.read(id);
    }
    return this.take();
  }

  /** What was found since the last time, without another look. */
  take(): readonly IndexedFile[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Files with versions that were found and not taken yet. */
  get found(): readonly string[] {
    return this.#found.map(({ id }) => id);
  }

  /** What was found of these files is not taken. */
  forget(ids: ReadonlySet<string>): void {
    this.#found = this.#found.filter(({ id }) => !ids.has(id));
  }

  /** Reads a file that has no text yet; the next request has what was found. */
  async read(id: string): Promise<readonly IndexedFile[]> {
    const found = await this.#options.files.read(id);
    this.#add(found);
    return found;
  }

  /** Looks at a file once more. Its newest version that the next request has and the session not yet; undefined for none. */
  async lookAt(id: string): Promise<IndexedFile | undefined> {
    if (this.#options.sweep) this.#add(await this.#options.files.sweep([id]));
    return this.#found.findLast((file) => file.id === id || file.succeeds === id);
  }

  /** Why a file could not be looked at the last time, in its source's words. */
  whyUnreachable(id: string): string | undefined {
    const known = this.#options.files.known(id);
    return known?.last === "unreachable" ? known.reason : undefined;
  }

  /** Follows these files, too, where a source can look at them. No caller waits: until a tracker is ready, they are `unchecked`. */
  follow(ids: Iterable<string>): void {
    const { files, tracked } = this.#options;
    if (tracked.length > 0) this.#followed.follow([...ids].flatMap((id) => files.known(id) ?? []));
  }

  states(ids: readonly string[]): readonly FileTracking[] {
    return this.#followed.states(ids.map((id) => ({ id, known: this.#options.files.known(id) })));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#followed.close();
  }

  #add(found: readonly IndexedFile[]): void {
    this.#found = [...this.#found, ...found];
  }

  /** A hint is looked into at once, so that other clients see the new version; this one takes it with its next request. */
  #takeHint(id: string): void {
    if (this.#closed) return;
    const isAwaited = this.#hinted.size > 0;
    this.#hinted.add(id);
    if (isAwaited) return;
    const look = this.#inTurn(async () => {
      const ids = [...this.#hinted];
      this.#hinted.clear();
      this.#add(await this.#options.files.sweep(ids));
    });
    // The session was closed meanwhile, or the store cannot be asked now: the look before the next request says so.
    look.catch(() => this.#hinted.clear());
  }
}

/** How far this client follows a file (SSOT 5.9). */
export interface FileTracking {
  readonly id: string;
  readonly state: TrackingState;
  /** Why it is orphaned. */
  readonly reason?: string;
}

/** The trackers of one client. What they say is a hint to look again; their states are never written into objects. */
class FollowedFiles {
  readonly #trackers = new Map<string, Tracker>();
  readonly #followed = new Set<string>();

  constructor(sources: readonly Source[], onHint: (id: string) => void) {
    for (const source of sources) {
      const tracker = source.track?.((binding) => onHint(fileIdOf({ binding })));
      if (tracker !== undefined) this.#trackers.set(source.type, tracker);
    }
  }

  /** Follows the files that a source could look at; one that is followed already costs nothing. */
  follow(files: readonly KnownFile[]): void {
    const added = files.filter(({ id, reached }) => reached && !this.#followed.has(id));
    for (const { id } of added) this.#followed.add(id);
    for (const [type, group] of Map.groupBy(added, ({ binding }) => binding.type)) {
      // A tracker that cannot follow says so in its states; the sweep looks at these files in any case.
      this.#trackers
        .get(type)
        ?.follow(group.map(({ binding }) => binding))
        .catch(() => undefined);
    }
  }

  /** The state of each of these files, as this client knows it now. */
  states(files: readonly { readonly id: string; readonly known: KnownFile | undefined }[]): readonly FileTracking[] {
    const tracked = new Map<string, Tracked>();
    for (const tracker of this.#trackers.values()) {
      for (const one of tracker.states()) tracked.set(fileIdOf(one), one);
    }
    return files.map(({ id, known }) => stateOf(id, known, tracked.get(id)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#trackers.values()].map((tracker) => tracker.close()));
  }
}

function stateOf(id: string, known: KnownFile | undefined, tracked: Tracked | undefined): FileTracking {
  if (known === undefined) return { id, state: "unchecked" };
  const reason = orphanedBy(known, tracked);
  if (reason !== undefined) return { id, state: "orphaned", reason };
  const state = tracked?.state ?? "unchecked";
  return { id, state: state === "attached" && known.wasOrphaned ? "resumed" : state };
}

function orphanedBy({ last, reason }: KnownFile, tracked: Tracked | undefined): string | undefined {
  if (last === "absent") return "gone";
  if (last === "unreachable") return reason;
  if (tracked === undefined) return "no tracker";
  return tracked.state === "orphaned" ? (tracked.reason ?? "no tracker") : undefined;
}
