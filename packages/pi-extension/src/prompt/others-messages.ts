import type { BranchItem } from "../branch/branch-item.ts";
import type { PiMessage } from "../pi/pi-types.ts";

/**
 * Messages that other extensions put into this request before us: they are on no branch, so the session does not know
 * them, and they go out behind its prompt.
 */
export function othersMessages(messages: readonly PiMessage[], items: readonly BranchItem[]): readonly PiMessage[] {
  const known = new Map<string, number>();
  for (const { kind, message } of items) {
    if (kind === "said") known.set(keyOf(message), (known.get(keyOf(message)) ?? 0) + 1);
  }
  return messages.filter((message) => {
    if (message.role !== "user" && message.role !== "custom") return false;
    const left = known.get(keyOf(message)) ?? 0;
    known.set(keyOf(message), left - 1);
    return left <= 0;
  });
}

const keyOf = ({ role, timestamp }: Pick<PiMessage, "role" | "timestamp">): string => `${role} ${timestamp}`;
