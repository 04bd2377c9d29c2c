import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import type { RenderedPrompt } from "@cm/context-log";
import { CmError } from "@cm/object-model";
import { messageContent } from "@cm/render";

/**
 * Writes every request of a replay as lines of JSON: `{"block","text"}` before a message's first use, then
 * `{"call","blocks"}`. Of a message its text and arguments stand there; no names, ids, thinking, images or system
 * prompt. The file appears under its name when it is whole.
 */
export class PromptDump {
  readonly #path: string;
  readonly #partial: string;
  readonly #file: number;
  readonly #written = new Set<string>();
  #calls = 0;

  /** @throws CmError `replay/output` */
  constructor(path: string) {
    this.#path = path;
    this.#partial = `${path}.partial-${process.pid}`;
    try {
      this.#file = openSync(this.#partial, "w", 0o600);
    } catch (error) {
      throw new CmError(
        "replay/output",
        `The file ${path} cannot be written; name another one with --dump.`,
        {},
        { cause: error },
      );
    }
  }

  add(prompt: RenderedPrompt): void {
    const lines = prompt.messages.flatMap((message) => {
      if (this.#written.has(message.id)) return [];
      this.#written.add(message.id);
      return [JSON.stringify({ block: message.id, text: messageContent(message) })];
    });
    lines.push(JSON.stringify({ call: this.#calls, blocks: prompt.messages.map(({ id }) => id) }));
    this.#calls += 1;
    writeSync(this.#file, `${lines.join("\n")}\n`);
  }

  keep(): void {
    closeSync(this.#file);
    renameSync(this.#partial, this.#path);
  }

  discard(): void {
    closeSync(this.#file);
    rmSync(this.#partial, { force: true });
  }
}
