/** In a database of its own a session keeps its name; in a shared one runs and equal names are told apart. */
export class SessionNames {
  readonly #shared: boolean;
  readonly #taken = new Set<string>();

  constructor(shared: boolean) {
    this.#shared = shared;
  }

  next(recording: string, run: string): string {
    if (!this.#shared) return recording;
    let name = `${recording}-${run}`;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${recording}-${run}-${count}`;
    this.#taken.add(name);
    return name;
  }
}
