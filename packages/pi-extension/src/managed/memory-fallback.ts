import { createMemoryStore } from "@cm/object-model";
import type { BranchItem } from "../branch/branch-item.ts";
import { type FollowedSession, openFollowedSession, type StorelessOptions, unlinked } from "./followed-session.ts";

/** A session in memory, made of the branch, for as long as the one in the database cannot be used. */
export class MemoryFallback {
  readonly #options: () => StorelessOptions;
  #line: FollowedSession | undefined;

  /** @param options asked anew for each session */
  constructor(options: () => StorelessOptions) {
    this.#options = options;
  }

  /** @throws what the session throws */
  async sessionFor(items: readonly BranchItem[]): Promise<FollowedSession> {
    return this.#line?.follower.goesOn(items) === true ? this.#line : this.begin(items);
  }

  /** A new one, whatever there was. @throws what the session throws */
  async begin(items: readonly BranchItem[]): Promise<FollowedSession> {
    await this.end();
    const options = { ...this.#options(), store: createMemoryStore() };
    this.#line = await openFollowedSession(options, { items, ...unlinked });
    return this.#line;
  }

  async end(): Promise<void> {
    const line = this.#line;
    this.#line = undefined;
    await line?.session.abandon();
  }
}
