import type { Prices, PromptMessage, RenderedPrompt } from "@cm/context-log";

/** A prefix that the provider has, as one string for each content block. */
type Prefix = readonly string[];

/**
 * What a provider that caches only at marks bills, written down a second time from its rules and from the bytes: a
 * request writes the prefix up to each of its marks, and from each of them looks back block by block for a prefix that
 * the request before had written.
 */
export class MarkedMeter {
  billed = 0;
  cached = 0;
  #written: readonly string[] = [];
  readonly #prices: Prices;
  readonly #head: number;

  constructor(prices: Prices, head: number) {
    this.#prices = prices;
    this.#head = head;
  }

  request({ messages, breakpoints = [] }: RenderedPrompt): void {
    const upTo = (count: number): Prefix => ["head", ...messages.slice(0, count).flatMap(blocksOf)];
    const hits = breakpoints.flatMap((mark) => this.#found(upTo(mark)));
    const read = Math.max(0, ...hits);
    const marked = breakpoints.length === 0 ? 0 : this.#lengthOf(upTo(Math.max(...breakpoints)));
    const total = this.#lengthOf(upTo(messages.length));
    this.billed += this.#prices.read * read + this.#prices.write * (marked - read) + (total - marked);
    this.cached += read;
    this.#written = breakpoints.map((mark) => JSON.stringify(upTo(mark)));
  }

  /** Lengths of the prefixes that are found from the end of this one. */
  #found(prefix: Prefix): readonly number[] {
    for (let back = 0; back < (this.#prices.lookbackBlocks ?? 1) && back < prefix.length; back += 1) {
      const shorter = prefix.slice(0, prefix.length - back);
      if (this.#written.includes(JSON.stringify(shorter))) return [this.#lengthOf(shorter)];
    }
    return [];
  }

  #lengthOf(prefix: Prefix): number {
    return prefix.slice(1).reduce((sum, block) => sum + block.slice(block.indexOf(":") + 1).length, this.#head);
  }
}

/** Named by the message, so that two equal texts in different places are different blocks. */
function blocksOf({ id, role, text, thinking = [], calls = [] }: PromptMessage): readonly string[] {
  const unsaid = [...thinking.map(() => ""), ...calls.map(({ args }) => JSON.stringify(args))];
  const blocks = role === "assistant" && text === "" && unsaid.length > 0 ? unsaid : [text, ...unsaid];
  return blocks.map((block, place) => `${id.replaceAll(":", ";")}/${place}:${block}`);
}
