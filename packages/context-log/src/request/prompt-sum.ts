import { messageBytes } from "../message-bytes.ts";
import type { PromptMessage, RenderedPrompt } from "../view.ts";
import { keptMessages } from "./common-start.ts";

type Messages = readonly PromptMessage[];
type Summed = Pick<RenderedPrompt, "messages" | "kept">;

/** Adds something up over the messages of prompts; those that stood at the start of the one before are not asked again. */
class PromptSum {
  readonly #of: (message: PromptMessage) => number;
  readonly #sums = new WeakMap<Messages, number>();

  constructor(of: (message: PromptMessage) => number) {
    this.#of = of;
  }

  over({ messages, kept }: Summed, sent?: Summed): number {
    const known = this.#sums.get(messages);
    if (known !== undefined) return known;
    const start = sent === undefined ? undefined : this.#sums.get(sent.messages);
    const same = sent === undefined || start === undefined ? 0 : keptMessages({ messages, kept }, sent.messages);
    const before = sent === undefined || start === undefined ? 0 : start - this.#from(sent.messages, same);
    const sum = before + this.#from(messages, same);
    this.#sums.set(messages, sum);
    return sum;
  }

  #from(messages: Messages, start: number): number {
    let sum = 0;
    for (let place = start; place < messages.length; place += 1) {
      const message = messages[place];
      if (message !== undefined) sum += this.#of(message);
    }
    return sum;
  }
}

/** What all messages weigh. */
export const promptBytes = new PromptSum(messageBytes);

/** Bytes of their texts that are more than their characters. */
export const bytesBesideChars = new PromptSum(({ text }) => Buffer.byteLength(text) - text.length);
