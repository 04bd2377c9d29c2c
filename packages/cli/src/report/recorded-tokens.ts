import type { Prices } from "@cm/context-log";
import type { RecordedUsage, Recording } from "@cm/recordings";

/** What the agent wrote down of its provider's counts, over the requests of a session that have one. */
export interface RecordedTokens extends RecordedUsage {
  /** Requests with a count. */
  readonly requests: number;
  /**
   * Requests that were less than half as long as the one before: there the agent had shortened the conversation itself,
   * so that it is not the one that a replay of the whole record speaks of.
   */
  readonly shortened: number;
}

/** What a million tokens cost, in a currency that only the user knows. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

/** Undefined where the file has no counts. */
export function recordedTokens({ events }: Pick<Recording, "events">): RecordedTokens | undefined {
  const sum = { requests: 0, shortened: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  let before = 0;
  for (const event of events) {
    if (event.kind !== "assistant" || event.usage === undefined) continue;
    const { input, cacheRead, cacheWrite, output } = event.usage;
    const read = inputTokens(event.usage);
    // An answer that broke off has zeros.
    if (read + output === 0) continue;
    sum.requests += 1;
    sum.input += input;
    sum.cacheRead += cacheRead;
    sum.cacheWrite += cacheWrite;
    sum.output += output;
    if (read < before / 2) sum.shortened += 1;
    before = read;
  }
  return sum.requests === 0 ? undefined : sum;
}

/** All input, cached or not. */
export const inputTokens = ({ input, cacheRead, cacheWrite }: Omit<RecordedUsage, "output">): number =>
  input + cacheRead + cacheWrite;

/** What the recorded tokens cost, input and output apart: cached input at its share of the price of new input. */
export function moneyOf(
  { input, cacheRead, cacheWrite, output }: RecordedUsage,
  { price, prices }: { readonly price: TokenPrice; readonly prices: Pick<Prices, "read" | "write"> },
): { readonly input: number; readonly output: number } {
  const weighted = input + prices.read * cacheRead + prices.write * cacheWrite;
  return { input: (weighted * price.input) / 1e6, output: (output * price.output) / 1e6 };
}
