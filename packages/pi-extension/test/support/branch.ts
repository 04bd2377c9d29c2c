import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { PiSide } from "../../src/pi/pi-side.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";

const usage = {
  ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** A branch of Pi that grows, with entries as Pi's own session manager makes them. */
export class Branch {
  readonly entries: SessionEntry[] = [];

  get messages(): PiMessage[] {
    return this.entries.flatMap((entry) => (entry.type === "message" ? [structuredClone(entry.message)] : []));
  }

  ask(text: string): void {
    this.#message({ role: "user", content: [{ type: "text", text }], timestamp: this.entries.length });
  }

  say(text: string): void {
    this.#answer([{ type: "text", text }], "stop");
  }

  /** An answer with one call of each tool, and the results. */
  call(
    id: string,
    { tool = "read", path = "a.ts", output = "", failed = false, args = { path } as unknown } = {},
  ): void {
    this.#answer([{ type: "toolCall", id, name: tool, arguments: args as { readonly path: string } }], "toolUse");
    this.#result(id, tool, { output, failed });
  }

  #result(id: string, tool: string, { output, failed }: { readonly output: string; readonly failed: boolean }): void {
    const content = [{ type: "text" as const, text: output }];
    const result = { toolCallId: id, toolName: tool, content, isError: failed, timestamp: this.entries.length };
    this.#message({ role: "toolResult", ...result });
  }

  /** What a managed session sees of it. `appended` collects the links. */
  side(more: Partial<PiSide> = {}): PiSide {
    return {
      ...{
        piSession: "pi-1",
        begun: "",
        cwd: "/",
        isIdle: () => false,
        model: () => undefined,
        systemPrompt: () => "Be brief.",
        headChars: () => 9,
      },
      leaf: () => this.entries.at(-1)?.id ?? null,
      branch: () => [...this.entries],
      entries: () => [...this.entries],
      append: (customType, data) => this.#add({ type: "custom", customType, data }),
      changed: () => {},
      ...more,
    };
  }

  /** An answer with calls of one id, each of a file of its own, and the results of the first of them. */
  callAlike(id: string, paths: readonly string[], outputs: readonly string[]): void {
    this.#answer(
      paths.map((path) => ({ type: "toolCall", id, name: "read", arguments: { path } })),
      "toolUse",
    );
    for (const output of outputs) this.#result(id, "read", { output, failed: false });
  }

  #answer(content: Extract<PiMessage, { role: "assistant" }>["content"], stopReason: "stop" | "toolUse"): void {
    const model = { api: "anthropic-messages", provider: "scripted", model: "scripted" } as const;
    this.#message({ role: "assistant", content, ...model, usage, stopReason, timestamp: this.entries.length });
  }

  #message(message: PiMessage): void {
    this.#add({ type: "message", message });
  }

  #add(
    entry:
      | { readonly type: "message"; readonly message: PiMessage }
      | { readonly type: "custom"; readonly customType: string; readonly data: unknown },
  ): void {
    const id = `e${this.entries.length}`;
    const parentId = this.entries.at(-1)?.id ?? null;
    this.entries.push({ ...entry, id, parentId, timestamp: new Date(this.entries.length).toISOString() });
  }
}
