import { closeSync, constants, copyFileSync, openSync, writeSync } from "node:fs";
import { storeError } from "./errors.ts";
import { framesOf, headerOf, madeFrame, madeHeader } from "./log-frames.ts";

/**
 * Copies a database and its damaged log so that SQLite reads all of the log: each page as it is, the damaged one too, with sums
 * that fit, up to the last commit.
 * @throws CmError `store/unavailable` where there is no room for it, or nothing may be written
 */
export function copyWithMendedLog(path: string, copy: string): void {
  try {
    copyBoth(path, copy);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? `${error.code}` : "an unknown fault";
    throw storeError(
      "store/unavailable",
      `The damaged file cannot be copied beside the new one (${code}); name another place.`,
    );
  }
}

function copyBoth(path: string, copy: string): void {
  copyFileSync(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const log = openSync(`${path}-wal`, "r");
  try {
    const mended = openSync(`${copy}-wal`, "wx", 0o600);
    try {
      copyLog(log, mended);
    } finally {
      closeSync(mended);
    }
  } finally {
    closeSync(log);
  }
}

function copyLog(log: number, to: number): void {
  const header = headerOf(log);
  if (header === undefined) return;
  let salts = header.isWhole ? header.salts : undefined;
  let [number, last] = [0, 0];
  for (const frame of framesOf(log, header)) {
    number += 1;
    salts ??= frame.salts;
    if (frame.isCommit && frame.salts === salts) last = number;
  }
  if (salts === undefined) return;
  let made = madeHeader(header, salts);
  writeSync(to, made.bytes);
  number = 0;
  for (const frame of framesOf(log, header)) {
    number += 1;
    if (number > last) return;
    made = madeFrame(frame, salts, made.sum);
    writeSync(to, made.bytes);
  }
}
