import { foldToBytesOf } from "../branch/items-of.ts";
import type { ExtensionContext } from "../pi/pi-types.ts";
import { compactionLimits } from "./limits.ts";

export type BranchEnd = Pick<ExtensionContext["sessionManager"], "getLeafEntry" | "getEntry">;

/**
 * What the next request is to weigh because the user compacted, in bytes: until it is answered, also in another process
 * and on whatever branch people go to. Undefined where nobody asked.
 */
export function foldAsked(branch: BranchEnd): number | undefined {
  let entry = branch.getLeafEntry();
  while (entry !== undefined) {
    if (entry.type === "compaction") return foldToBytesOf(entry);
    if (entry.type === "message" && isAnswer(entry.message)) return undefined;
    entry = entry.parentId === null ? undefined : branch.getEntry(entry.parentId);
  }
  return undefined;
}

const isAnswer = (message: { readonly role: string; readonly stopReason?: string }): boolean =>
  message.role === "assistant" && message.stopReason !== "error" && message.stopReason !== "aborted";

/** What a prompt of that weight is to weigh after `/compact`: well less, and no more than Pi alone would keep. */
export function foldTarget(sentBytes: number, { keepRecentTokens }: { readonly keepRecentTokens: number }): number {
  const part = Math.floor((sentBytes * compactionLimits.compactPercent) / 100);
  const kept = keepRecentTokens * compactionLimits.bytesPerKeptToken;
  return Math.max(compactionLimits.promptBytesMin, Math.min(part, kept));
}

/** Whether a compaction is worth a summary that is paid. */
export function isWorthwhile({ beforeBytes, afterBytes }: { beforeBytes: number; afterBytes: number }): boolean {
  return afterBytes * 100 <= beforeBytes * (100 - compactionLimits.worthPercent);
}
