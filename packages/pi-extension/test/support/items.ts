import type { BranchItem } from "../../src/branch/branch-item.ts";
import type { PiAssistant, PiMessage, PiToolResult, SessionEntry } from "../../src/pi/pi-types.ts";

const usage = {
  ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

type Block = PiAssistant["content"][number];

export const text = (said: string) => ({ type: "text", text: said }) as const;
export const call = (id: string, args: Record<string, string> = {}, name = "read"): Block => ({
  ...{ type: "toolCall", id, name },
  arguments: args,
});

/** One pixel, as base64. */
export const dot = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
} as const;

export function userMessage(content: string | PiToolResult["content"], timestamp = 0): PiMessage {
  return { role: "user", content, timestamp };
}

export function answerMessage(content: readonly Block[], more: Partial<PiAssistant> = {}): PiAssistant {
  const model = { api: "anthropic-messages", provider: "scripted", model: "scripted" } as const;
  return { role: "assistant", content: [...content], ...model, usage, stopReason: "stop", timestamp: 0, ...more };
}

export function resultMessage(
  toolCallId: string,
  output: string | PiToolResult["content"],
  more: Partial<PiToolResult> = {},
): PiToolResult {
  const content = typeof output === "string" ? [text(output)] : output;
  return { role: "toolResult", toolCallId, toolName: "read", content, isError: false, timestamp: 0, ...more };
}

/** Messages as items of a branch: `e0`, `e1` and so on. */
export function itemsIn(messages: readonly PiMessage[]): readonly BranchItem[] {
  return messages.map((message, place): BranchItem => {
    const entry = `e${place}`;
    if (message.role === "assistant") return { kind: "answer", entry, message };
    if (message.role === "toolResult") return { kind: "result", entry, message };
    if (message.role === "user") return { kind: "said", entry, message };
    throw new Error(message.role);
  });
}

type EntryBody<T> = T extends SessionEntry ? Omit<T, "id" | "parentId" | "timestamp"> : never;

/** Entries of a branch: `e0`, `e1` and so on, each a second after the one before. */
export function entriesOf(bodies: readonly EntryBody<SessionEntry>[]): readonly SessionEntry[] {
  return bodies.map((body, place): SessionEntry => {
    const parentId = place === 0 ? null : `e${place - 1}`;
    return { ...body, id: `e${place}`, parentId, timestamp: new Date(place * 1_000).toISOString() };
  });
}

export const entry = (message: PiMessage) => ({ type: "message", message }) as const;
