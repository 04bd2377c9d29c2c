import { styleText } from "node:util";
import { limits } from "../limits.ts";
import type { World } from "../world.ts";
import { jsonLine } from "./json-line.ts";
import { type Column, tableText } from "./table.ts";

/** The reader of our output has gone, as `head` does: nothing more is to be said, and nothing is wrong. */
export class OutputClosed extends Error {}

/**
 * Where results go. People get tables and lines, programs one JSON value a line; both on stdout. What is not a result,
 * such as progress, goes to stderr.
 */
export class Output {
  readonly json: boolean;
  readonly isTerminal: boolean;
  readonly #world: World;
  #closed = false;
  #progressAt = 0;
  #progressShown = false;

  constructor(world: World, json: boolean) {
    this.#world = world;
    this.json = json;
    this.isTerminal = world.stdout.isTTY === true;
    world.stdout.on("error", this.#onError);
  }

  get color(): boolean {
    const { stdout, env } = this.#world;
    return this.isTerminal && (env.NO_COLOR ?? "") === "" && stdout.hasColors?.() === true;
  }

  /** @throws OutputClosed */
  async write(chunk: string | Uint8Array): Promise<void> {
    if (this.#closed) throw new OutputClosed();
    this.#clearProgress();
    const { stdout } = this.#world;
    await new Promise<void>((resolve, reject) => {
      stdout.write(chunk, (error) => (error ? reject(isClosed(error) ? new OutputClosed() : error) : resolve()));
    });
  }

  /** One JSON value on a line of its own. */
  async value(value: object): Promise<void> {
    await this.write(jsonLine(value));
  }

  async line(text: string): Promise<void> {
    await this.write(`${text}\n`);
  }

  async table(columns: readonly Column[], rows: readonly (readonly string[])[]): Promise<void> {
    await this.write(tableText(columns, rows, { color: this.color, width: this.#columns }));
  }

  paint(style: "bold" | "dim" | "red" | "green" | "yellow" | "cyan", text: string): string {
    return this.color ? styleText(style, text, { validateStream: false }) : text;
  }

  /** `paint` for what goes to stderr. */
  paintNote(style: "dim", text: string): string {
    return this.color && this.#world.stderr.isTTY === true ? this.paint(style, text) : text;
  }

  /** A remark for people, on stderr. */
  note(text: string): void {
    this.#clearProgress();
    this.#world.stderr.write(`${text}\n`);
  }

  /** How far it is: on a terminal one line that changes, elsewhere nothing. */
  progress(text: string): void {
    const { stderr } = this.#world;
    const now = performance.now();
    if (stderr.isTTY !== true || this.json || now - this.#progressAt < limits.progressMs) return;
    this.#progressAt = now;
    this.#progressShown = true;
    stderr.write(`\r\u001b[K${text}`);
  }

  close(): void {
    this.#clearProgress();
    // The listener stays: an error may still be on its way, and without one it would end the process with a trace.
  }

  get #columns(): number | undefined {
    return this.isTerminal ? this.#world.stdout.columns : undefined;
  }

  #clearProgress(): void {
    if (!this.#progressShown) return;
    this.#progressShown = false;
    this.#world.stderr.write("\r\u001b[K");
  }

  readonly #onError = (error: Error): void => {
    if (isClosed(error)) this.#closed = true;
  };
}

function isClosed(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}
