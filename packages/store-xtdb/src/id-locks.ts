/** Lets commits of this process that touch the same objects run one after the other, instead of against each other. */
export class IdLocks {
  readonly #last = new Map<string, Promise<void>>();

  /** All places are taken at once, so two callers can never wait for each other. */
  async run<Result>(ids: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const before = new Set(ids.flatMap((id) => this.#last.get(id) ?? []));
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const id of ids) this.#last.set(id, promise);
    if (before.size > 0) await Promise.all(before);
    try {
      return await work();
    } finally {
      for (const id of ids) if (this.#last.get(id) === promise) this.#last.delete(id);
      resolve();
    }
  }
}
