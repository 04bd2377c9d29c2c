import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { bytesText } from "@cm/terminal-text";
import { limits } from "../limits.ts";
import { type CheckLine, fail, ok, warn } from "./check-line.ts";

/** Types of file systems that other machines may write to, as `statfs` numbers them: NFS and Windows shares. */
const networkTypes: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** What the file system says of a SQLite file that is there. */
export function checkFile(path: string): readonly CheckLine[] {
  const folder = dirname(path);
  return [checkStoreFile(path), checkFolder(folder), ...checkDisk(folder), ...checkLog(path)];
}

/** Sessions hold what files and tools said: nobody else should read them. Windows has no such modes. */
function checkStoreFile(path: string): CheckLine {
  if (!isWritable(path)) {
    return warn("file", `${path} may not be written`, "Looking works, all else does not; check its permissions.");
  }
  const { mode } = statSync(path);
  if (!hasModes || (mode & 0o077) === 0) return ok("file", path);
  return warn("file", `${path} is open to other users (${modeText(mode)})`, "Run chmod 600 on it.");
}

/** Whoever may write to the folder may put another file in the store's place. */
function checkFolder(path: string): CheckLine {
  if (!isWritable(path)) {
    return warn(
      "folder",
      `${path} may not be written`,
      "Looking works where no log waits beside the file; to write, copy it into a folder of your own.",
    );
  }
  const { mode } = statSync(path);
  if (!hasModes || (mode & 0o022) === 0) return ok("folder", path);
  const isShared = (mode & 0o1000) !== 0;
  const next = isShared ? "Move the store into a folder of your own." : "Run chmod 700 on it.";
  return warn("folder", `Other users may write to ${path} (${modeText(mode)})`, next);
}

const hasModes = process.platform !== "win32";

const modeText = (mode: number): string => (mode & 0o777).toString(8);

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function checkDisk(folder: string): readonly CheckLine[] {
  const { bavail, bsize, type } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${bytesText(free)} free`;
  const next = "Free some space; commits fail when the disk is full.";
  const space =
    free < limits.freeBytesFail
      ? fail("space", text, next)
      : free < limits.freeBytesWarn
        ? warn("space", text, next)
        : ok("space", text);
  if (!networkTypes.has(type)) return [space];
  return [
    space,
    fail("disk", "The file lies on a network share, where SQLite's log does not work", "Move it to a local disk."),
  ];
}

/** The log is emptied now and then; one that grows has a reader that never ends, or writers that were killed. */
function checkLog(path: string): readonly CheckLine[] {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size <= limits.logBytesWarn) return [];
  return [
    warn("log", `The log beside the file has ${bytesText(log.size)}`, "Run cm compact while no other program uses it."),
  ];
}
