import { posix } from "node:path";
import { matchesPattern } from "./name-pattern.ts";
import type { OpenWriterOptions, SessionStorage, SessionStorageStat, SessionStorageWriter } from "./session-storage.ts";

interface MemoryFile {
  readonly content: string;
  readonly mtimeMs: number;
}

/** A map of files, for tests and for sessions that are not kept. */
export class MemorySessionStorage implements SessionStorage {
  readonly #files = new Map<string, MemoryFile>();
  #lastMs = 0;

  ensureDirSync(_dir: string): void {}

  existsSync(path: string): boolean {
    return this.#files.has(path);
  }

  writeTextSync(path: string, content: string): void {
    // Two writes within a millisecond still have an order.
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 0.001);
    this.#files.set(path, { content, mtimeMs: this.#lastMs });
  }

  statSync(path: string): SessionStorageStat {
    const { content, mtimeMs } = this.#file(path);
    return { size: Buffer.byteLength(content), mtimeMs, mtime: new Date(mtimeMs) };
  }

  listFilesSync(dir: string, pattern: string): string[] {
    const folder = posix.join(dir, ".").replace(/(?<=.)\/$/, "");
    return [...this.#files.keys()].filter(
      (path) => posix.dirname(path) === folder && matchesPattern(posix.basename(path), pattern),
    );
  }

  listFoldersSync(dir: string): string[] {
    const folder = posix.join(dir, "/");
    const inside = [...this.#files.keys()].filter((path) => path.startsWith(folder));
    const names = inside.map((path) => path.slice(folder.length).split("/"));
    return [...new Set(names.flatMap(([name = "", ...below]) => (below.length > 0 ? [`${folder}${name}`] : [])))];
  }

  async exists(path: string): Promise<boolean> {
    return this.existsSync(path);
  }

  async readText(path: string): Promise<string> {
    return this.#file(path).content;
  }

  async readTextPrefix(path: string, maxBytes: number): Promise<string> {
    return Buffer.from(this.#file(path).content).subarray(0, maxBytes).toString("utf8");
  }

  async writeText(path: string, content: string): Promise<void> {
    this.writeTextSync(path, content);
  }

  async rename(path: string, nextPath: string): Promise<void> {
    const file = this.#file(path);
    this.#files.delete(path);
    this.#files.set(nextPath, file);
  }

  async unlink(path: string): Promise<void> {
    this.#file(path);
    this.#files.delete(path);
  }

  openWriter(path: string, { flags = "a", onError }: OpenWriterOptions = {}): SessionStorageWriter {
    if (flags === "w" || !this.existsSync(path)) this.writeTextSync(path, "");
    let error: Error | undefined;
    let closed = false;
    const check = (): void => {
      if (error !== undefined) throw error;
      if (!closed) return;
      error = new Error("The writer is closed.");
      onError?.(error);
      throw error;
    };
    return {
      writeLine: async (given) => {
        check();
        const line = given.endsWith("\n") ? given : `${given}\n`;
        const before = this.#files.get(path)?.content ?? "";
        this.writeTextSync(path, `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${line}`);
      },
      flush: async () => check(),
      fsync: async () => check(),
      close: async () => {
        closed = true;
      },
      getError: () => error,
    };
  }

  #file(path: string): MemoryFile {
    const file = this.#files.get(path);
    if (file === undefined) throw Object.assign(new Error("There is no such file."), { code: "ENOENT" });
    return file;
  }
}
