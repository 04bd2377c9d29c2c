import { accessSync, constants, type Stats, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { limits } from "../limits.ts";
import { bytesText } from "../output/figures.ts";
import { type CheckLine, fail, ok, warn } from "./check-line.ts";

/** Types of file systems that other machines may write to, as `statfs` numbers them: NFS and Windows shares. */
const networkTypes: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** What the file system says of a SQLite file that is there. */
export function checkFile(path: string): readonly CheckLine[] {
  const folder = dirname(path);
  return [
    checkAccess("file", path, statSync(path), "600"),
    checkAccess("folder", folder, statSync(folder), "700"),
    ...checkDisk(folder),
    ...checkLog(path),
  ];
}

/** Sessions hold what files and tools said: nobody else should read them. Windows has no such modes. */
function checkAccess(check: string, path: string, { mode }: Stats, wanted: string): CheckLine {
  const shownMode = (mode & 0o777).toString(8);
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch {
    return warn(
      check,
      `${path} may not be written`,
      "Reading works only while no other program writes; check its permissions.",
    );
  }
  const isOpen = process.platform !== "win32" && (mode & 0o077) !== 0;
  if (isOpen) return warn(check, `${path} is open to other users (${shownMode})`, `Run chmod ${wanted} on it.`);
  return ok(check, path);
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
