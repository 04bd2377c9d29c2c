import type { Source } from "@cm/object-model";

/** A source that adds up how long its looks take: what the file system costs, apart from the session. */
export class TimedSource implements Source {
  readonly contract = "source/1";
  readonly type: string;
  readonly #source: Source;
  /** Milliseconds in which at least one look was under way. */
  lookMs = 0;
  #looks = 0;
  #since = 0;

  constructor(source: Source) {
    this.#source = source;
    this.type = source.type;
  }

  parseBinding(value: unknown) {
    return this.#source.parseBinding(value);
  }

  describe(binding: Parameters<Source["describe"]>[0]) {
    return this.#source.describe(binding);
  }

  async observe(...look: Parameters<Source["observe"]>): ReturnType<Source["observe"]> {
    if (this.#looks === 0) this.#since = performance.now();
    this.#looks += 1;
    try {
      return await this.#source.observe(...look);
    } finally {
      this.#looks -= 1;
      if (this.#looks === 0) this.lookMs += performance.now() - this.#since;
    }
  }
}
