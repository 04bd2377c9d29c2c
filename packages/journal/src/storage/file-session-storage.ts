import * as disk from "node:fs";
import { copyFile, open, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileLineWriter } from "./file-line-writer.ts";
import { lockRewrites } from "./file-lock.ts";
import { matchesPattern } from "./name-pattern.ts";
import type { OpenWriterOptions, SessionStorage, SessionStorageStat, SessionStorageWriter } from "./session-storage.ts";

/** Session files on a disk. Files and folders that it makes are for their owner alone. */
export class FileSessionStorage implements SessionStorage {
  ensureDirSync(dir: string): void {
    disk.mkdirSync(dir, { recursive: true, mode: 0o700 });
  }

  existsSync(path: string): boolean {
    return disk.existsSync(path);
  }

  writeTextSync(path: string, content: string): void {
    this.ensureDirSync(dirname(path));
    disk.writeFileSync(path, content, { mode: 0o600 });
  }

  statSync(path: string): SessionStorageStat {
    const { size, mtimeMs, mtime } = disk.statSync(path);
    return { size, mtimeMs, mtime };
  }

  listFilesSync(dir: string, pattern: string): string[] {
    try {
      return disk
        .readdirSync(dir, { withFileTypes: true })
        .filter((entry) => !entry.isDirectory() && matchesPattern(entry.name, pattern))
        .map(({ name }) => join(dir, name));
    } catch {
      return [];
    }
  }

  listFoldersSync(dir: string): string[] {
    try {
      return disk
        .readdirSync(dir, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
        .map(({ name }) => join(dir, name));
    } catch {
      return [];
    }
  }

  async exists(path: string): Promise<boolean> {
    return disk.existsSync(path);
  }

  readText(path: string): Promise<string> {
    return readFile(path, "utf8");
  }

  async readTextPrefix(path: string, maxBytes: number): Promise<string> {
    const file = await open(path, "r");
    try {
      const bytes = Buffer.alloc(maxBytes);
      const { bytesRead } = await file.read(bytes, 0, maxBytes, 0);
      return bytes.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async writeText(path: string, content: string): Promise<void> {
    this.ensureDirSync(dirname(path));
    await writeFile(path, content, { mode: 0o600 });
  }

  async rename(path: string, nextPath: string): Promise<void> {
    await rename(path, nextPath);
    await syncFolder(dirname(nextPath));
  }

  unlink(path: string): Promise<void> {
    return unlink(path);
  }

  openWriter(path: string, options: OpenWriterOptions = {}): SessionStorageWriter {
    this.ensureDirSync(dirname(path));
    return new FileLineWriter(path, options);
  }

  copy(path: string, copyPath: string): Promise<void> {
    return copyFile(path, copyPath);
  }

  lock(path: string): Promise<() => void> {
    this.ensureDirSync(dirname(path));
    return lockRewrites(path);
  }

  async renameOver(path: string, nextPath: string, seenBytes: number): Promise<string> {
    // Opened before: afterwards the replaced file has no name, and a line that came meanwhile would be nowhere.
    const replaced = await open(nextPath, "r").catch(() => undefined);
    try {
      await this.rename(path, nextPath);
      if (replaced === undefined) return "";
      const { size } = await replaced.stat();
      const bytes = Buffer.alloc(Math.max(0, size - seenBytes));
      const { bytesRead } = await replaced.read(bytes, 0, bytes.length, seenBytes);
      return bytes.toString("utf8", 0, bytesRead);
    } finally {
      await replaced?.close();
    }
  }
}

/** So that a rename survives a crash of the machine. Not every system lets one open a folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
