import { closeSync, openSync } from "node:fs";
import { storeError } from "./errors.ts";
import { framesOf, headerOf, isSameSum, type LogHeader } from "./log-frames.ts";

/**
 * SQLite reads a log up to the first frame that does not fit, without a word. After a crash that is right for the commit that
 * was being written. A second commit behind it was begun when the first one was on the disk, so there the log is damaged, and
 * what was acknowledged would be gone.
 * @throws CmError `store/corrupt` with the number of the frame
 */
export function checkLog(path: string): void {
  const frame = damagedFrame(path);
  if (frame === undefined) return;
  throw storeError(
    "store/corrupt",
    `The log beside the database (-wal) is damaged at its frame ${frame}, and the commits behind it cannot be read; restore both files from a copy.`,
    { frame },
  );
}

/** The first frame that does not fit, from 1 on, where commits follow it; undefined where none do. */
export function damagedFrame(path: string): number | undefined {
  const frame = readingOf(path);
  // What another process takes back and writes over meanwhile does not fit either.
  return frame !== undefined && readingOf(path) === frame ? frame : undefined;
}

function readingOf(path: string): number | undefined {
  let log: number;
  try {
    log = openSync(`${path}-wal`, "r");
  } catch {
    // What is there and cannot be read is for SQLite to say.
    return undefined;
  }
  try {
    const header = headerOf(log);
    if (header === undefined) return undefined;
    const frame = firstDamaged(log, header);
    // Another process may have begun the log anew, and the frames read are of both.
    return headerOf(log)?.bytes.equals(header.bytes) ? frame : undefined;
  } catch {
    // A folder stands there, or the disk fails: that is for SQLite to say, too.
    return undefined;
  } finally {
    closeSync(log);
  }
}

function firstDamaged(log: number, header: LogHeader): number | undefined {
  let salts = header.isWhole ? header.salts : undefined;
  let damaged = header.isWhole ? undefined : 1;
  /** Of the frame before: what it says, and where it may be its sum that is damaged, what it sums to. */
  let sums = [header.sum];
  let commits = 0;
  let number = 0;
  for (const frame of framesOf(log, header)) {
    number += 1;
    salts ??= frame.salts;
    const isOfLog = frame.salts === salts;
    const summed = sums.map((sum) => frame.sumBehind(sum));
    const follows = summed.some((sum) => isSameSum(sum, frame.storedSum));
    sums = [frame.storedSum];
    if (isOfLog && follows) {
      if (damaged !== undefined && frame.isCommit) commits += 1;
    } else {
      // A commit that failed leaves frames, too: they end with it, and no other commit follows them by its sum.
      commits = frame.isCommit && (isOfLog || follows) ? 1 : 0;
      if (damaged === undefined) sums.push(...summed);
      damaged ??= number;
    }
    if (commits === 2) return damaged;
  }
  return undefined;
}
