import type { WishedWeight } from "../branch/branch-items.ts";
import { compactionLimits as limits } from "./limits.ts";

/** What the next request would weigh in bytes, as it is or with a wish. */
export type Weigh = (wish?: WishedWeight) => Promise<number>;

/**
 * What `/compact` is to make of the next request, tried out before anything is paid: outputs fold to half of what it
 * weighs, and to what Pi alone would keep at most. Where they cannot, what was said is shortened to that, too, since
 * the model then reads a summary of it. Undefined where neither leaves out enough: there is nothing to compact.
 */
export async function plannedFold(weigh: Weigh, keepRecentTokens: number): Promise<WishedWeight | undefined> {
  const keptBytes = Math.max(limits.promptBytesMin, keepRecentTokens * limits.bytesPerKeptToken);
  const beforeBytes = await weigh();
  const half = Math.floor((beforeBytes * limits.compactPercent) / 100);
  const fold = { foldToBytes: Math.max(limits.promptBytesMin, Math.min(half, keptBytes)) };
  const foldedBytes = await weigh(fold);
  if (foldedBytes > keptBytes) {
    const both = { ...fold, dialogueToBytes: keptBytes };
    const shortenedBytes = (await weigh(both)) + limits.toldBytes;
    if (isWorthwhile(foldedBytes, shortenedBytes)) return both;
  }
  return isWorthwhile(beforeBytes, foldedBytes) ? fold : undefined;
}

const isWorthwhile = (beforeBytes: number, afterBytes: number): boolean =>
  afterBytes < beforeBytes && afterBytes * 100 <= beforeBytes * (100 - limits.worthPercent);
