import { messageBytes, type PromptMessage } from "@cm/object-model";

type Messages = readonly PromptMessage[];

/** Adds something up over the messages of prompts; those that stood at the start of the one before are not asked again. */
class PromptSum {
  readonly #of: (message: PromptMessage) => number;
  readonly #sums = new WeakMap<Messages, number>();

  constructor(of: (message: PromptMessage) => number) {
    this.#of = of;
  }

  over(messages: Messages, before: Messages = []): number {
    const known = this.#sums.get(messages);
    if (known !== undefined) return known;
    const start = this.#sums.get(before);
    const same = start === undefined ? 0 : commonStart(messages, before);
    const kept = start === undefined ? 0 : start - this.#from(before, same);
    const sum = kept + this.#from(messages, same);
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

function commonStart(messages: Messages, before: Messages): number {
  let place = 0;
  while (place < before.length && before[place] === messages[place]) place += 1;
  return place;
}

/** What all messages weigh. */
export const promptBytes = new PromptSum(messageBytes);

/** Bytes of their texts that are more than their characters. */
export const bytesBesideChars = new PromptSum(({ text }) => Buffer.byteLength(text) - text.length);
