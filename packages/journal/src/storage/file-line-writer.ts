import * as disk from "node:fs";
import { isCmError } from "@cm/object-model";
import { lockRewrites } from "./file-lock.ts";
import type { OpenWriterOptions, SessionStorageWriter } from "./session-storage.ts";

const lineFeed = 0x0a;

/**
 * Appends lines to a file that other processes append to as well, without a lock. Each line is one write of `O_APPEND`.
 * Where another process has replaced the file meanwhile, the line went to a file without a name: it is written again,
 * unless the other took it along. That is looked at once the other is done, or both would write it.
 */
export class FileLineWriter implements SessionStorageWriter {
  readonly #path: string;
  readonly #onError: ((error: Error) => void) | undefined;
  #file: number;
  #closed = false;
  #error: Error | undefined;
  /** Size of the file after our last line: where it still has it, its last byte is ours. */
  #endedAt = -1;

  constructor(path: string, { flags = "a", onError }: OpenWriterOptions) {
    this.#path = path;
    this.#onError = onError;
    this.#file = openForAppending(path);
    if (flags === "w") disk.ftruncateSync(this.#file);
  }

  async writeLine(given: string): Promise<void> {
    const line = given.endsWith("\n") ? given : `${given}\n`;
    this.#try(() => this.#append(line));
    if (!this.#try(() => this.#wasReplaced())) return;
    // Who holds the lock all the time may be one that ended: a line twice is better than none.
    const release = await lockRewrites(this.#path).catch((error) => {
      if (isCmError(error)) return () => undefined;
      throw error;
    });
    try {
      this.#try(() => this.#appendAgain(line));
    } finally {
      release();
    }
  }

  async flush(): Promise<void> {
    this.#try(() => undefined);
  }

  async fsync(): Promise<void> {
    this.#try(() => disk.fsyncSync(this.#file));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    disk.closeSync(this.#file);
  }

  getError(): Error | undefined {
    return this.#error;
  }

  #try<Value>(work: () => Value): Value {
    if (this.#error !== undefined) throw this.#error;
    try {
      if (this.#closed) throw new Error("The writer is closed.");
      return work();
    } catch (error) {
      this.#error = error instanceof Error ? error : new Error(String(error));
      this.#onError?.(this.#error);
      throw this.#error;
    }
  }

  #appendAgain(line: string): void {
    for (let tries = 0; this.#wasReplaced(); tries += 1) {
      if (tries === replacedTriesMax) throw new Error("Others replace the file again and again.");
      this.#reopen();
      if (!disk.readFileSync(this.#path, "utf8").includes(line.trimEnd())) this.#append(line);
    }
  }

  #append(line: string): void {
    const { size } = disk.fstatSync(this.#file);
    // A process that was killed may have left half a line.
    const bytes = Buffer.from(size === this.#endedAt || this.#endsLine(size) ? line : `\n${line}`);
    for (let at = 0; at < bytes.length; ) at += disk.writeSync(this.#file, bytes, at);
    this.#endedAt = size + bytes.length;
  }

  #endsLine(size: number): boolean {
    if (size === 0) return true;
    const last = Buffer.alloc(1);
    disk.readSync(this.#file, last, 0, 1, size - 1);
    return last[0] === lineFeed;
  }

  #wasReplaced(): boolean {
    const here = disk.fstatSync(this.#file, { bigint: true });
    const there = disk.statSync(this.#path, { bigint: true });
    return here.ino !== there.ino || here.dev !== there.dev;
  }

  #reopen(): void {
    disk.closeSync(this.#file);
    this.#file = openForAppending(this.#path);
    this.#endedAt = -1;
  }
}

const replacedTriesMax = 8;

/** `a+`, because the last byte is read. */
function openForAppending(path: string): number {
  return disk.openSync(path, "a+", 0o600);
}
