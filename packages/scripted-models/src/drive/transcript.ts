import { limits } from "../limits.ts";

/** The error of a wait without success, with the last words of its transcript. */
export class PiFailure extends Error {
  override readonly name = "PiFailure";

  constructor(what: string, tail: string) {
    super(`${what}\n${tail}`);
  }
}

export const tailOf = (title: string, text: string): string => `--- ${title}:\n${text.slice(-limits.tailChars)}`;

/** Growing text that notifies its waiters. */
export class Transcript {
  #text = "";
  readonly #listeners = new Set<() => void>();

  get text(): string {
    return this.#text;
  }

  /** False where it is full: then nothing was added. */
  add(more: string): boolean {
    if (this.#text.length + more.length > limits.outputCharsMax) return false;
    this.#text += more;
    for (const listener of this.#listeners) listener();
    return true;
  }

  /** Calls back after each addition, until the function that it returns is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tail(title: string): string {
    return tailOf(title, this.#text);
  }
}
