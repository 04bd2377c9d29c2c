import { copyFileSync, existsSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** How four kinds of editors save a file, step by step. */
export const editors: Readonly<Record<string, (path: string, text: string) => void>> = {
  /** The old file becomes the backup, a new one takes its name, the backup goes. */
  vim(path, text) {
    renameSync(path, `${path}~`);
    writeFileSync(path, text);
    unlinkSync(`${path}~`);
  },
  /** The new text goes to a file beside it, which is then renamed over it. */
  vscode(path, text) {
    const beside = join(dirname(path), `.${basename(path)}.vsctmp`);
    writeFileSync(beside, text);
    renameSync(beside, path);
  },
  /** A link to nowhere is the lock; the first save copies a backup; the file itself is written again. */
  emacs(path, text) {
    const lock = join(dirname(path), `.#${basename(path)}`);
    symlinkSync("ada@host.4711:1", lock);
    if (!existsSync(`${path}~`)) copyFileSync(path, `${path}~`);
    writeFileSync(path, text);
    rmSync(lock);
  },
  /** Truncated and written in place. */
  nano(path, text) {
    writeFileSync(path, "");
    writeFileSync(path, text);
  },
};
