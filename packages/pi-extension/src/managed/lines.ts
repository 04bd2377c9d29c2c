import { createMemoryStore, isCmError } from "@cm/object-model";
import type { BranchItem } from "../branch/branch-item.ts";
import { limits } from "../limits.ts";
import { appendLink } from "../link/append-link.ts";
import { linksOf } from "../link/links-of.ts";
import type { Health } from "./health.ts";
import { type Line, type LineOptions, openLine } from "./line.ts";
import type { OpenedStore, StoreWatch } from "./open-store.ts";
import type { PiSide } from "./pi-side.ts";
import { Retry } from "./retry.ts";
import { within } from "./within.ts";

export interface LinesOptions {
  readonly side: PiSide;
  openStore(watch: StoreWatch): Promise<OpenedStore>;
  /** All but the store. */
  lineOptions(): Omit<LineOptions, "store" | "stateCache">;
  /** The database may answer again: time to follow the branch. */
  onRetry(): void;
}

interface DurableLine extends Line {
  readonly opened: OpenedStore;
}

/**
 * Which session a branch is followed with: the one in the database, or while that cannot be opened one in memory. What
 * the second had is filled into the first from the branch when it opens. Used by one caller at a time.
 */
export class Lines {
  readonly #options: LinesOptions;
  readonly #retry: Retry;
  #opening: Promise<DurableLine> | undefined;
  #durable: DurableLine | undefined;
  #standIn: Line | undefined;
  #failure: unknown;
  #isLate = false;
  /** The database failed the session in it while it was away: one in memory serves until it is back. */
  #isAside = false;

  constructor(options: LinesOptions) {
    this.#options = options;
    this.#retry = new Retry(() => this.#options.onRetry());
  }

  get durable(): Line | undefined {
    return this.#durable;
  }

  get current(): Line | undefined {
    return this.#durable ?? this.#standIn;
  }

  /** Begins to open the database; whoever needs it waits then. */
  begin(items: readonly BranchItem[]): void {
    if (this.#durable !== undefined || this.#opening !== undefined) return;
    this.#opening = this.#open(items);
    this.#opening.catch(() => undefined);
  }

  /** The line that fits a branch. @throws what session and store throw */
  async lineFor(items: readonly BranchItem[]): Promise<Line> {
    const durable = this.#durable ?? (await this.#opened(items));
    if (durable !== undefined && !this.#staysAside(durable)) {
      await this.#endStandIn();
      return durable.follower.goesOn(items) ? durable : this.#relocated(durable, items);
    }
    if (this.#standIn?.follower.goesOn(items) !== true) await this.#standAt(items);
    if (this.#standIn === undefined) throw this.#failure;
    return this.#standIn;
  }

  /**
   * Does the work on the line that fits a branch, and once more on one in memory where a database that is away fails it:
   * what waits for it has no room any more, or nobody can say what it holds. @throws what session, store and work throw
   */
  async on<T>(items: readonly BranchItem[], work: (line: Line) => Promise<T>): Promise<T> {
    try {
      return await work(await this.lineFor(items));
    } catch (error) {
      this.failed(error);
      if (!this.#isAside) throw error;
      return work(await this.lineFor(items));
    }
  }

  /** Leaves a database whose file is gone: the next one is made under its path, and the branch filled into it. */
  async leaveGone(): Promise<void> {
    const durable = this.#durable;
    if (durable === undefined || (await durable.opened.isThere())) return;
    this.#durable = undefined;
    await durable.session.close().catch(() => undefined);
    await durable.opened.close().catch(() => undefined);
  }

  /** Something of the current line failed. */
  failed(error: unknown): void {
    this.#failure = error;
    if (this.#durable !== undefined && isAway(this.#durable) && isOfStore(error)) this.#isAside = true;
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
    const state = durable?.opened.state();
    const unwritten = (durable?.follower.behind(items) ?? 0) + (state?.queued ?? 0);
    if (durable !== undefined && this.#failure === undefined) {
      if (state?.reason === undefined) return { state: "ok", unwritten };
      return { state: "away", reason: state.reason, unwritten };
    }
    const answers = durable === undefined ? items.filter(({ kind }) => kind === "answer").length : unwritten;
    if (this.#failure === undefined) {
      return this.#isLate
        ? { state: "away", reason: "The database does not answer.", unwritten: answers }
        : { state: "opening", unwritten: 0 };
    }
    return {
      state: isDamage(this.#failure) ? "damaged" : "away",
      reason: isCmError(this.#failure) ? this.#failure.message : "The database cannot be used.",
      unwritten: answers,
    };
  }

  async close(): Promise<void> {
    this.#retry.stop();
    const durable =
      this.#durable ??
      (await within(this.#opening ?? Promise.resolve(undefined), limits.closeMs).catch(() => undefined));
    await this.#standIn?.session.close();
    if (durable === undefined) return;
    await within(durable.session.pause(), limits.closeMs).catch(() => durable.session.close().catch(() => undefined));
    await within(durable.opened.close(), limits.closeMs).catch(() => undefined);
  }

  async #opened(items: readonly BranchItem[]): Promise<DurableLine | undefined> {
    if (this.#opening === undefined && !this.#retry.isDue) return undefined;
    this.begin(items);
    const opening = this.#opening;
    if (opening === undefined) return undefined;
    try {
      this.#durable = await within(opening, this.#isLate ? limits.awayMs : limits.openMs);
      this.#opening = undefined;
      this.#failure = undefined;
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

  #staysAside(durable: DurableLine): boolean {
    this.#isAside = this.#isAside && isAway(durable);
    return this.#isAside;
  }

  async #endStandIn(): Promise<void> {
    const standIn = this.#standIn;
    this.#standIn = undefined;
    await standIn?.session.close();
  }

  #storeChanged(): void {
    if (this.#isAside && this.#durable !== undefined && !isAway(this.#durable)) this.#options.onRetry();
    this.#options.side.changed();
  }

  async #open(items: readonly BranchItem[]): Promise<DurableLine> {
    const { side } = this.#options;
    const opened = await this.#options.openStore({
      onBroken: () => this.#drop(),
      onChanged: () => this.#storeChanged(),
    });
    try {
      const line = await openLine(this.#on(opened), { items, ...linksOf(side) });
      if (line.isNew) appendLink(side, line);
      return { ...line, opened };
    } catch (error) {
      await opened.close().catch(() => undefined);
      throw error;
    }
  }

  /** The branch is another one: `/tree` went elsewhere. */
  async #relocated(durable: DurableLine, items: readonly BranchItem[]): Promise<Line> {
    const { side } = this.#options;
    // One that was left before, and could not be followed by another, is closed.
    await durable.session.pause().catch(() => durable.session.close());
    const line = await openLine(this.#on(durable.opened), { items, ...linksOf(side) });
    this.#durable = { ...line, opened: durable.opened };
    if (line.isNew) appendLink(side, line);
    return this.#durable;
  }

  #on({ store, stateCache }: OpenedStore): LineOptions {
    return { ...this.#options.lineOptions(), store, ...(stateCache === undefined ? {} : { stateCache }) };
  }

  async #standAt(items: readonly BranchItem[]): Promise<void> {
    await this.#standIn?.session.close();
    const options = { ...this.#options.lineOptions(), store: createMemoryStore() };
    this.#standIn = await openLine(options, { items, link: undefined, own: undefined });
  }

  /** What was kept in memory can no longer be written as it is: it is filled in anew from the branch. */
  #drop(): void {
    const durable = this.#durable;
    this.#durable = undefined;
    durable?.session.close().catch(() => undefined);
    durable?.opened.close().catch(() => undefined);
    this.#retry.later();
  }
}

const isAway = ({ opened }: DurableLine): boolean => opened.state().reason !== undefined;
const isOfStore = (error: unknown): boolean => isCmError(error) && error.code.startsWith("store/");
const isDamage = (error: unknown): boolean => isCmError(error, "store/corrupt") || isCmError(error, "session/damaged");
