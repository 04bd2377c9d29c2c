import type { PromptMessage } from "@cm/context-log";

/**
 * What a provider with prefix caching bills, written down a second time and from the bytes alone: the longest common
 * prefix with the request before is cached, everything else is new.
 */
export class JudgeMeter {
  billed = 0;
  sent = 0;
  cached = 0;
  peak = 0;
  breaks = 0;
  requests = 0;
  #last: readonly (readonly [string, string])[] = [];
  readonly #read: number;
  readonly #write: number;
  readonly #head: number;

  constructor({ read = 0.1, write = 1.25, head = 0 } = {}) {
    this.#read = read;
    this.#write = write;
    this.#head = head;
  }

  request(messages: readonly PromptMessage[]): void {
    const blocks = messages.map((message) => [message.id, contentOf(message)] as const);
    let prefix = 0;
    let place = 0;
    while (place < blocks.length && place < this.#last.length && blocks[place]?.[0] === this.#last[place]?.[0]) {
      prefix += blocks[place]?.[1].length ?? 0;
      place += 1;
    }
    if (place < blocks.length && place < this.#last.length) {
      prefix += commonPrefix(blocks[place]?.[1] ?? "", this.#last[place]?.[1] ?? "");
    }
    if (place < this.#last.length) this.breaks += 1;
    const size = blocks.reduce((sum, block) => sum + block[1].length, 0) + this.#head;
    const hit = this.requests === 0 ? 0 : prefix + this.#head;
    this.billed += this.#read * hit + this.#write * (size - hit);
    this.sent += size;
    this.cached += hit;
    this.peak = Math.max(this.peak, size);
    this.requests += 1;
    this.#last = blocks;
  }
}

/** `JSON.stringify` in place of our canonical JSON: where two versions of a call part depends on the order of its keys. */
const contentOf = (message: PromptMessage): string =>
  message.text + (message.calls ?? []).map((call) => JSON.stringify(call.args, withSortedKeys)).join("");

const withSortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
