import { defined, isCmError } from "@cm/object-model";
import type { BranchItem } from "../branch/branch-item.ts";
import type { Health } from "../health.ts";
import { limits } from "../limits.ts";
import { linksOf } from "../link/links-of.ts";
import type { PiSide } from "../pi/pi-side.ts";
import { appendLink } from "./append-link.ts";
import {
  type FollowedSession,
  type FollowedSessionOptions,
  type FollowStart,
  openFollowedSession,
  type StorelessOptions,
  unlinked,
} from "./followed-session.ts";
import { healthOf } from "./health-of.ts";
import { MemoryFallback } from "./memory-fallback.ts";
import type { OpenedStore, StoreWatch } from "./open-store.ts";
import { Retry } from "./retry.ts";
import { withTimeout } from "./with-timeout.ts";

export interface SessionSelectorOptions {
  readonly side: PiSide;
  openStore(watch: StoreWatch): Promise<OpenedStore>;
  /** All but the store. */
  sessionOptions(): StorelessOptions;
  /** The database may answer again: time to follow the branch. */
  onRetry(): void;
}

interface DurableSession extends FollowedSession {
  readonly opened: OpenedStore;
}

/**
 * Which session a branch is followed with: the one in the database, or while that cannot be opened one in memory. What
 * the second had is filled into the first from the branch when it opens. Used by one caller at a time.
 */
export class SessionSelector {
  readonly #options: SessionSelectorOptions;
  readonly #retry: Retry;
  #opening: Promise<DurableSession> | undefined;
  #durable: DurableSession | undefined;
  readonly #memoryFallback: MemoryFallback;
  #failure: unknown;
  #isLate = false;
  #moving: Promise<DurableSession> | undefined;
  /** The database failed the session in it while it was offline: one in memory serves until it is back. */
  #isAside = false;

  constructor(options: SessionSelectorOptions) {
    this.#options = options;
    this.#retry = new Retry(() => options.onRetry());
    this.#memoryFallback = new MemoryFallback(() => options.sessionOptions());
  }

  get durable(): FollowedSession | undefined {
    return this.#durable;
  }

  /** Begins to open the database; callers that need it wait then. */
  begin(items: readonly BranchItem[]): void {
    if (this.#durable !== undefined || this.#opening !== undefined) return;
    this.#opening = this.#open(items);
    this.#opening.catch(() => undefined);
  }

  /** The line that fits a branch. @throws what session and store throw */
  async sessionFor(items: readonly BranchItem[]): Promise<FollowedSession> {
    const durable = this.#durable ?? (await this.#opened(items));
    const fitting =
      durable === undefined || this.#staysAside(durable) ? undefined : await this.#fitting(durable, items);
    if (fitting === undefined) return this.#memoryFallback.sessionFor(items);
    await this.#memoryFallback.end();
    return fitting;
  }

  /**
   * Does the work on the line that fits a branch, and once more on one in memory where a database that is offline fails
   * it: what waits for it has no room any more, or its content is unknown. @throws what session, store and work throw
   */
  async on<T>(items: readonly BranchItem[], work: (line: FollowedSession) => Promise<T>): Promise<T> {
    try {
      return await work(await this.sessionFor(items));
    } catch (error) {
      if (isCmError(error, "pi/prompt-mismatch")) return work(await this.#renewed(items));
      this.failed(error);
      if (!this.#isAside) throw error;
      return work(await this.sessionFor(items));
    }
  }

  /** Leaves a database whose file is gone: the next one is made under its path, and the branch filled into it. */
  async leaveGone(): Promise<void> {
    const durable = this.#durable;
    if (durable !== undefined && !(await durable.opened.isThere())) await this.#leave();
  }

  /** Something of the current line failed. */
  failed(error: unknown): void {
    this.#failure = error;
    if (this.#durable !== undefined && isOffline(this.#durable) && isOfStore(error)) this.#isAside = true;
    this.#retry.later();
  }

  /** The current line answered. */
  answered(): void {
    if (this.#durable === undefined) return;
    this.#failure = undefined;
    this.#retry.reset();
  }

  health(items: readonly BranchItem[]): Health {
    const durable = this.#durable;
    const steps = durable?.follower.behind(items) ?? items.filter(({ kind }) => kind === "answer").length;
    return healthOf({ store: durable?.opened.state(), steps, failure: this.#failure, isLate: this.#isLate });
  }

  async close(): Promise<void> {
    this.#retry.stop();
    const durable =
      this.#durable ??
      (await withTimeout(this.#opening ?? Promise.resolve(undefined), limits.closeMs).catch(() => undefined));
    await this.#memoryFallback.end();
    if (durable === undefined) {
      // What opens after all holds a thread, and Pi would not end.
      this.#opening?.then(({ opened }) => opened.close()).catch(() => undefined);
      return;
    }
    const { session } = durable.session;
    // Closing waits for what is under way, which may hang as well.
    await withTimeout(durable.session.close(), limits.closeMs)
      .catch(() => withTimeout(durable.session.abandon(), limits.closeMs))
      .catch(() => undefined);
    if (durable.session.session !== session) this.#linkFork(durable);
    await withTimeout(durable.opened.close(), limits.closeMs).catch(() => undefined);
  }

  /** What waited when it was closed is in a fork, since another program wrote the session. */
  #linkFork(durable: DurableSession): void {
    try {
      appendLink(this.#options.side, durable);
    } catch {
      // What waited is on Pi's branch, too, and is filled in from there.
    }
  }

  async #opened(items: readonly BranchItem[]): Promise<DurableSession | undefined> {
    if (this.#opening === undefined && !this.#retry.isDue) return undefined;
    this.begin(items);
    const opening = this.#opening;
    if (opening === undefined) return undefined;
    try {
      this.#durable = await withTimeout(opening, this.#isLate ? limits.awayMs : limits.openMs);
      this.#opening = undefined;
      this.#failure = undefined;
      this.#isLate = false;
      return this.#durable;
    } catch (error) {
      // Late is not failed: it may still open.
      this.#isLate = true;
      if (!isCmError(error, "pi/unavailable")) {
        this.#opening = undefined;
        this.#failure = error;
      }
      this.#retry.later();
      return undefined;
    }
  }

  #staysAside(durable: DurableSession): boolean {
    this.#isAside = this.#isAside && isOffline(durable);
    return this.#isAside;
  }

  #storeChanged(): void {
    if (this.#isAside && this.#durable !== undefined && !isOffline(this.#durable)) this.#options.onRetry();
    this.#options.side.changed();
  }

  async #open(items: readonly BranchItem[]): Promise<DurableSession> {
    const { side } = this.#options;
    // Asked at once: a prompt may begin while the store opens, and it is behind these items.
    const isOver = side.isIdle();
    const opened = await this.#options.openStore({
      onBroken: () => this.#drop(),
      onChanged: () => this.#storeChanged(),
    });
    try {
      const line = await openFollowedSession(this.#on(opened), { items, isOver, ...linksOf(side) });
      if (line.isNew) appendLink(side, line);
      return { ...line, opened };
    } catch (error) {
      await opened.close().catch(() => undefined);
      throw error;
    }
  }

  /**
   * The line itself, or where the branch is another one (`/tree` went elsewhere) its next; undefined while that takes
   * long.
   */
  async #fitting(durable: DurableSession, items: readonly BranchItem[]): Promise<DurableSession | undefined> {
    if (this.#moving === undefined && durable.follower.goesOn(items)) return durable;
    this.#moving ??= this.#moved(durable, items);
    try {
      const moved = await withTimeout(this.#moving, this.#isLate ? limits.awayMs : limits.openMs);
      this.#isLate = false;
      return moved.follower.goesOn(items) ? moved : undefined;
    } catch (error) {
      if (!isCmError(error, "pi/unavailable")) throw error;
      this.#isLate = true;
      return undefined;
    }
  }

  /** A session that is of another branch after all is left as it is, and the branch filled into a new one. */
  async #renewed(items: readonly BranchItem[]): Promise<FollowedSession> {
    const durable = this.#durable;
    if (durable !== undefined && !this.#staysAside(durable)) return this.#moved(durable, items, unlinked);
    return this.#memoryFallback.begin(items);
  }

  async #moved(
    durable: DurableSession,
    items: readonly BranchItem[],
    links: Omit<FollowStart, "items"> = linksOf(this.#options.side),
  ): Promise<DurableSession> {
    const { side } = this.#options;
    try {
      const isOver = side.isIdle();
      // One that was left before, and could not be followed by another, is closed.
      await durable.session.close().catch(() => durable.session.abandon());
      const line = await openFollowedSession(this.#on(durable.opened), { items, isOver, ...links });
      this.#durable = { ...line, opened: durable.opened };
      if (line.isNew) appendLink(side, line);
      // Others went on without it.
      if (this.#isLate) this.#options.onRetry();
      return this.#durable;
    } catch (error) {
      this.failed(error);
      throw error;
    } finally {
      this.#moving = undefined;
    }
  }

  #on({ store, stateCache }: OpenedStore): FollowedSessionOptions {
    return { ...this.#options.sessionOptions(), store, ...defined({ stateCache }) };
  }

  /** What was kept in memory can no longer be written as it is: it is filled in anew from the branch. */
  #drop(): void {
    void this.#leave();
    this.#retry.later();
  }

  async #leave(): Promise<void> {
    const durable = this.#durable;
    this.#durable = undefined;
    await durable?.session.abandon().catch(() => undefined);
    await durable?.opened.close().catch(() => undefined);
  }
}

const isOffline = ({ opened }: DurableSession): boolean => opened.state().reason !== undefined;
const isOfStore = (error: unknown): boolean => isCmError(error) && error.code.startsWith("store/");
