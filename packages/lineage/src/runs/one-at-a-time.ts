/** Work on one id waits for the work before it; other ids go on beside it. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    // The next one waits for this one, however it ends.
    const settled = mine.then(
      () => {},
      () => {},
    );
    this.#last.set(id, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(id) === settled) this.#last.delete(id);
    }
  }
}
