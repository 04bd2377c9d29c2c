import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { bytesText } from "@cm/terminal-text";
import { firstBytesOf } from "../../own-files/sqlite-header.ts";
import { broken, type CheckLine, doubtful, fine } from "./check-line.ts";

/** Below it the next long session may not fit. */
const freeBytesMin = 256 * 1024 * 1024;

/** What the file system says of the SQLite file, if there is one. Windows has no modes to look at. */
export function checkFile(path: string): readonly CheckLine[] {
  try {
    return looked(path);
  } catch {
    return [broken("file", "it cannot be looked at", `Look at the owner and modes of ${dirname(path)}`)];
  }
}

function looked(path: string): readonly CheckLine[] {
  const file = statSync(path, { throwIfNoEntry: false });
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (folder?.isDirectory() === false || file?.isFile() === false) {
    return [broken("file", "something else is in its place", `Move it away from ${path}`)];
  }
  if (file === undefined || folder === undefined) {
    return [doubtful("file", "not there yet", "It is made with the first request.")];
  }
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return [
    fine("size", `${bytesText(file.size)}${log === 0 ? "" : `, and ${bytesText(log)} of log beside it`}`),
    ...checkKind(path),
    checkAccess(path),
    checkFolder(folder.mode, dirname(path)),
    checkSpace(dirname(path)),
  ];
}

function checkKind(path: string): readonly CheckLine[] {
  if (firstBytesOf(path) !== "other") return [];
  return [broken("file", "it is no database", "/cm doctor fix store moves it aside and begins a new one.")];
}

function checkAccess(path: string): CheckLine {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.R_OK | constants.W_OK | constants.X_OK);
    return fine("access", "file and folder may be written");
  } catch {
    return broken("access", "file or folder may not be written", `Look at the owner and modes of ${path}`);
  }
}

/** Who may write into the folder could replace the file. */
function checkFolder(mode: number, folder: string): CheckLine {
  const text = (mode & 0o777).toString(8);
  if (process.platform === "win32") return fine("folder", "modes do not count here");
  if ((mode & 0o022) === 0) return fine("folder", `mode ${text}`);
  return doubtful("folder", `mode ${text}, open to other users' writing`, `Run chmod 700 on ${folder}`);
}

function checkSpace(folder: string): CheckLine {
  const { bavail, bsize } = statfsSync(folder);
  const free = bytesText(bavail * bsize);
  if (bavail * bsize >= freeBytesMin) return fine("space", `${free} free`);
  return doubtful("space", `${free} free`, "Free some; while the disk is full, steps wait in memory.");
}
