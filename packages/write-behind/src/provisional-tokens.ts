import { randomUUID } from "node:crypto";
import { LruCache, type Write } from "@cm/object-model";
import { writeBehindLimits as limits } from "./limits.ts";

/** Tokens of writes that the base has not made yet, and what they became. */
export class ProvisionalTokens {
  readonly #prefix = `provisional:${randomUUID()}:`;
  readonly #real = new LruCache<string>({ weightMax: limits.tokensMax, keptShare: limits.keptShare });
  #count = 0;

  next(): string {
    this.#count += 1;
    return `${this.#prefix}${this.#count}`;
  }

  /**
   * A token that is forgotten stays as it is: then a write that expects it is a conflict, and its writer reads again.
   */
  resolve(provisional: string, real: string): void {
    if (!provisional.startsWith(this.#prefix)) return;
    this.#real.set(provisional, real);
  }

  /** The base's own token, where the cache has it; any other text is returned unchanged. */
  real(token: string): string {
    return this.#real.get(token) ?? token;
  }

  /** The write as the base understands it. */
  forBase(write: Write): Write {
    const expect = this.real(write.expect);
    return expect === write.expect ? write : { ...write, expect };
  }
}
