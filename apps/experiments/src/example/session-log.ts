import type { ToolCall, ToolResult } from "./tools/tool.ts";

/** The folder that the recording names: no path of the machine that recorded it. */
export const shownFolder = "/example/project";

/** The clock of every recording, so that the same folder gives the same bytes. */
const startedAt = Date.UTC(2025, 0, 6, 9, 0, 0);
const messageMs = 2_000;
const promptMs = 60_000;

const noTokens = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** A conversation as Pi writes it: JSONL of version 3, one entry after the other on a single branch. */
export class SessionLog {
  #lines: string[] = [];
  #lastId: string | null = null;
  #now = startedAt;
  #modelCalls = 0;
  #toolCalls = 0;

  constructor() {
    this.#write({ type: "session", version: 3, id: "example", timestamp: this.#timestamp(), cwd: shownFolder });
  }

  /** Requests to a model that this would have taken. */
  get modelCalls(): number {
    return this.#modelCalls;
  }

  user(text: string): void {
    this.#now += promptMs;
    this.#message({ role: "user", content: [{ type: "text", text }] });
  }

  /** One model call. Gives the ids of its tool calls, in order. */
  assistant(text: string, calls: readonly ToolCall[] = []): readonly string[] {
    this.#modelCalls++;
    const ids = calls.map(() => `call_${++this.#toolCalls}`);
    const asked = calls.map(({ name, args }, index) => ({ type: "toolCall", id: ids[index], name, arguments: args }));
    this.#message({
      role: "assistant",
      content: [{ type: "text", text }, ...asked],
      api: "scripted",
      provider: "scripted",
      model: "scripted",
      usage: noTokens,
      stopReason: calls.length === 0 ? "stop" : "toolUse",
    });
    return ids;
  }

  result(toolCallId: string, toolName: string, { text, failed, details }: ToolResult): void {
    const content = [{ type: "text", text }];
    this.#message({ role: "toolResult", toolCallId, toolName, content, ...(details && { details }), isError: failed });
  }

  toString(): string {
    return this.#lines.join("");
  }

  #message(message: object): void {
    this.#now += messageMs;
    const id = String(this.#lines.length).padStart(8, "0");
    const timestamp = this.#timestamp();
    this.#write({
      type: "message",
      id,
      parentId: this.#lastId,
      timestamp,
      message: { ...message, timestamp: this.#now },
    });
    this.#lastId = id;
  }

  #timestamp(): string {
    return new Date(this.#now).toISOString();
  }

  #write(entry: object): void {
    this.#lines.push(`${JSON.stringify(entry)}\n`);
  }
}
