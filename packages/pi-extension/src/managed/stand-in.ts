import { createMemoryStore } from "@cm/object-model";
import type { BranchItem } from "../branch/branch-item.ts";
import { type Line, openLine, type StorelessOptions, unlinked } from "./line.ts";

/** A session in memory, made of the branch, for as long as the one in the database cannot be used. */
export class StandIn {
  readonly #options: () => StorelessOptions;
  #line: Line | undefined;

  /** @param options asked anew for each session */
  constructor(options: () => StorelessOptions) {
    this.#options = options;
  }

  /** @throws what the session throws */
  async lineFor(items: readonly BranchItem[]): Promise<Line> {
    return this.#line?.follower.goesOn(items) === true ? this.#line : this.begin(items);
  }

  /** A new one, whatever there was. @throws what the session throws */
  async begin(items: readonly BranchItem[]): Promise<Line> {
    await this.end();
    const options = { ...this.#options(), store: createMemoryStore() };
    this.#line = await openLine(options, { items, ...unlinked });
    return this.#line;
  }

  async end(): Promise<void> {
    const line = this.#line;
    this.#line = undefined;
    await line?.session.abandon();
  }
}
