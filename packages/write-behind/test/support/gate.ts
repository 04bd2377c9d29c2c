import { CmError, type ObjectStore } from "@cm/object-model";

/**
 * `open`: as the store behind it. `down`: every call is refused. `hanging`: calls wait until the gate opens, and are made
 * then. `lossy`: commits are made, and their answer is lost.
 */
export type GateState = "open" | "down" | "hanging" | "lossy";

/** A way to a store that can be shut. */
export class Gate {
  readonly store: ObjectStore;
  /** Calls that came, whatever became of them. */
  calls = 0;
  /** Runs before each call that goes through. */
  beforeEach: () => Promise<void> = async () => undefined;
  /** Runs before each answer. */
  afterEach: () => Promise<void> = async () => undefined;
  #state: GateState = "open";
  #opened = Promise.withResolvers<void>();

  constructor(behind: ObjectStore) {
    this.store = {
      contract: "object-store/1",
      getMany: (...args) => this.#pass(() => behind.getMany(...args)),
      commit: (...args) => this.#pass(() => behind.commit(...args), "isCommit"),
      history: (...args) => this.#pass(() => behind.history(...args)),
      find: (...args) => this.#pass(() => behind.find(...args)),
      erase: (...args) => this.#pass(() => behind.erase(...args), "isCommit"),
      close: async () => behind.close?.(),
    };
  }

  set(state: GateState): void {
    this.#state = state;
    if (state === "hanging") return;
    this.#opened.resolve();
    this.#opened = Promise.withResolvers();
  }

  /** Calls that hang now will never be answered. */
  drop(): void {
    this.#opened = Promise.withResolvers();
  }

  async #pass<T>(call: () => Promise<T>, kind?: "isCommit"): Promise<T> {
    this.calls += 1;
    while (this.#state === "hanging") await this.#opened.promise;
    if (this.#state === "down") throw new CmError("store/unavailable", "The gate is shut; open it.");
    await this.beforeEach();
    const answer = await call();
    await this.afterEach();
    if (this.#state === "lossy" && kind === "isCommit") {
      throw new CmError("store/unknown-outcome", "The answer was lost; repeat the commit.");
    }
    return answer;
  }
}
