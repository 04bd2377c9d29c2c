import { type WishedWeight, wishedWeightOf } from "../branch/branch-items.ts";
import type { ExtensionContext, SessionEntry } from "../pi/pi-types.ts";

export type BranchEnd = Pick<ExtensionContext["sessionManager"], "getLeafId" | "getEntry">;

/**
 * What the next request is to weigh because the user compacted: until it is answered, also in another process, and on
 * whatever branch people go to. Undefined where no fold was requested.
 */
export function foldRequested(branch: BranchEnd): WishedWeight | undefined {
  const entryOf = (id: string | null): SessionEntry | undefined => (id === null ? undefined : branch.getEntry(id));
  for (let entry = entryOf(branch.getLeafId()); entry !== undefined; entry = entryOf(entry.parentId)) {
    if (entry.type === "compaction") return wishedWeightOf(entry);
    if (entry.type === "message" && isAnswer(entry.message)) return undefined;
  }
  return undefined;
}

const isAnswer = (message: { readonly role: string; readonly stopReason?: string }): boolean =>
  message.role === "assistant" && message.stopReason !== "error" && message.stopReason !== "aborted";
