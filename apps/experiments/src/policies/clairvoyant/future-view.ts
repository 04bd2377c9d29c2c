import type { PromptMessage } from "@cm/context-log";
import { namesIn } from "../../measure/names.ts";
import { contentOf } from "../../measure/prompt-texts.ts";
import { shows } from "../../measure/shows.ts";
import type { Future } from "./future.ts";

interface Held {
  readonly lines: readonly string[];
  readonly names: readonly string[];
}

/** The future needs that a message contains, looked up once: the same message is the same object in each request. */
export class FutureView {
  readonly #future: Future;
  readonly #held = new WeakMap<PromptMessage, Held>();

  constructor(future: Future) {
    this.#future = future;
  }

  linesIn(message: PromptMessage): readonly string[] {
    return this.#heldIn(message).lines;
  }

  namesIn(message: PromptMessage): readonly string[] {
    return this.#heldIn(message).names;
  }

  #heldIn(message: PromptMessage): Held {
    const known = this.#held.get(message);
    if (known !== undefined) return known;
    const content = contentOf(message);
    const held = {
      lines: [...this.#future.lines.keys()].filter((line) => shows(content, line)),
      names: [...namesIn(content)].filter((name) => this.#future.names.has(name)),
    };
    this.#held.set(message, held);
    return held;
  }
}
