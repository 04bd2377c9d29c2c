import { SessionLog, shownFolder } from "./session-log.ts";
import { replaceBlocks } from "./tools/edit.ts";
import { runTool } from "./tools/run-tool.ts";
import type { Replacement, ToolCall, ToolResult } from "./tools/tool.ts";

/**
 * Stands in for a model: says what the script tells it to, but its tools are real, and it knows of a file what it has
 * read of it and no more.
 */
export class ScriptedAgent {
  readonly log = new SessionLog();
  readonly #root: string;
  readonly #seen = new Map<string, string>();
  readonly #changed = new Set<string>();

  /** @param root The real path of the working folder, links resolved. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The text of a file as last seen in whole, with the agent's own edits since; empty before that. */
  textOf(path: string): string {
    return this.#seen.get(path) ?? "";
  }

  /** The files it has edited, in the order of their first edit. */
  get changed(): readonly string[] {
    return [...this.#changed];
  }

  hear(prompt: string): void {
    this.log.user(prompt);
  }

  answer(text: string): void {
    this.log.assistant(text);
  }

  /** One model call with one tool call. */
  async call(text: string, call: ToolCall): Promise<ToolResult> {
    const [id = ""] = this.log.assistant(text, [call]);
    return this.#run(id, call);
  }

  /** One model call with several tool calls. */
  async callAll(text: string, calls: readonly ToolCall[]): Promise<void> {
    const ids = this.log.assistant(text, calls);
    for (const [index, call] of calls.entries()) await this.#run(ids[index] ?? "", call);
  }

  async read(text: string, path: string): Promise<ToolResult> {
    return this.call(text, { name: "read", args: { path } });
  }

  async edit(text: string, path: string, edits: readonly Replacement[]): Promise<ToolResult> {
    return this.call(text, { name: "edit", args: { path, edits } });
  }

  async bash(text: string, command: string): Promise<ToolResult> {
    return this.call(text, { name: "bash", args: { command } });
  }

  async grep(text: string, pattern: string, path?: string): Promise<ToolResult> {
    return this.call(text, { name: "grep", args: { pattern, ...(path !== undefined && { path }), limit: 200 } });
  }

  async #run(id: string, call: ToolCall): Promise<ToolResult> {
    const result = await runTool(call, { root: this.#root, shownAs: shownFolder });
    this.log.result(id, call.name, result);
    if (!result.failed) this.#remember(call, result);
    return result;
  }

  #remember({ name, args }: ToolCall, { text, details }: ToolResult): void {
    if (name === "read" && args.offset === undefined && args.limit === undefined && details === undefined) {
      this.#seen.set(args.path, text);
    }
    if (name === "edit") {
      const after = replaceBlocks(this.textOf(args.path), args.edits);
      if ("text" in after) this.#seen.set(args.path, after.text);
      this.#changed.add(args.path);
    }
  }
}
