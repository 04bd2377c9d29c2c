import type { PiMessage, SessionEntry } from "../../../src/pi/pi-types.ts";

/** Entries of one branch of Pi's session file. */
export function branchOf(...messages: readonly PiMessage[]): SessionEntry[] {
  return messages.map((message, place) => ({
    type: "message",
    id: `e${place}`,
    parentId: place === 0 ? null : `e${place - 1}`,
    timestamp: "2026-11-22T12:00:00.000Z",
    message,
  }));
}

export const prompt = (text: string): PiMessage => ({ role: "user", content: [{ type: "text", text }], timestamp: 0 });

export function answer(text: string, stopReason: "stop" | "error" = "stop"): PiMessage {
  return assistant([{ type: "text", text }], stopReason);
}

export function call(tool: string, path?: string | number): PiMessage {
  const given = path === undefined ? {} : { path };
  return assistant([{ type: "toolCall", id: `${tool} ${path}`, name: tool, arguments: given }], "toolUse");
}

type Answer = Extract<PiMessage, { role: "assistant" }>;

function assistant(content: Answer["content"], stopReason: Answer["stopReason"]): PiMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
  return { role: "assistant", content, api: "a", provider: "p", model: "m", usage, stopReason, timestamp: 0 };
}
