import type { PiMessage, SessionEntry } from "../pi/pi-types.ts";

/** The message that an entry is for the model. Undefined for what no model reads. */
export function messageOf(entry: SessionEntry): PiMessage | undefined {
  const timestamp = 0;
  switch (entry.type) {
    case "message":
      return entry.message;
    case "custom_message": {
      const { customType, content, display } = entry;
      return { role: "custom", customType, content, display, timestamp };
    }
    case "branch_summary":
      return { role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp };
    default:
      return undefined;
  }
}
