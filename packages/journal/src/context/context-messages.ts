import { isWellFormed } from "../format/entry-schema.ts";
import type {
  AgentMessage,
  SessionBranchSummaryEntry,
  SessionCompactionEntry,
  SessionCustomMessageEntry,
  SessionEntry,
} from "../format/session-entry.ts";

export function createCustomMessage(entry: SessionCustomMessageEntry): AgentMessage {
  const { customType, content, display, details } = entry;
  return { role: "custom", customType, content, display, details, timestamp: timeOf(entry) };
}

export function createBranchSummaryMessage(entry: SessionBranchSummaryEntry): AgentMessage {
  return { role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp: timeOf(entry) };
}

export function createCompactionSummaryMessage(entry: SessionCompactionEntry): AgentMessage {
  const { summary, shortSummary, tokensBefore } = entry;
  const short = shortSummary === undefined ? {} : { shortSummary };
  return { role: "compactionSummary", summary, ...short, tokensBefore, timestamp: timeOf(entry) };
}

/** What an entry brings into the context. One in a shape that is not its kind's brings nothing. */
export function messageOf(entry: SessionEntry): AgentMessage | undefined {
  if (!isWellFormed(entry)) return undefined;
  switch (entry.type) {
    case "message":
      return entry.message;
    case "custom_message":
      return createCustomMessage(entry);
    case "branch_summary":
      return entry.summary ? createBranchSummaryMessage(entry) : undefined;
    case "compaction":
      return createCompactionSummaryMessage(entry);
    default:
      return undefined;
  }
}

/** Milliseconds since 1970. */
function timeOf({ timestamp }: SessionEntry): number {
  return new Date(timestamp).getTime();
}
