import { dirname } from "node:path";
import { isOpenToWriting, modeText, type StoreFileFacts, storeFileFacts } from "@cm/store-place";
import { bytesText } from "@cm/terminal-text";
import { firstBytesOf } from "../../own-files/sqlite-header.ts";
import { broken, type CheckLine, doubtful, fine } from "./check-line.ts";

/** What the file system says of the SQLite file, if there is one. */
export function checkFile(path: string): readonly CheckLine[] {
  try {
    const facts = storeFileFacts(path);
    if (facts === "other") return [broken("file", "something else is in its place", `Move it away from ${path}`)];
    if (facts === "missing") return [doubtful("file", "not there yet", "It is made with the first request.")];
    return [
      checkSize(facts),
      ...checkKind(path),
      checkAccess(path, facts),
      checkFolder(facts),
      checkSpace(facts),
      ...checkDisk(facts),
    ];
  } catch {
    return [broken("file", "it cannot be looked at", `Look at the owner and modes of ${dirname(path)}`)];
  }
}

function checkSize({ bytes, logBytes, isLogLarge }: StoreFileFacts): CheckLine {
  const text = `${bytesText(bytes)}${logBytes === 0 ? "" : `, and ${bytesText(logBytes)} of log beside it`}`;
  if (!isLogLarge) return fine("size", text);
  return doubtful(
    "size",
    text,
    "The log is put into the file when all Pis have ended; then cm compact makes it small.",
  );
}

function checkKind(path: string): readonly CheckLine[] {
  if (firstBytesOf(path) !== "other") return [];
  return [broken("file", "it is no database", "/cm doctor fix store moves it aside and begins a new one.")];
}

function checkAccess(path: string, { isFileWritable, isFolderWritable }: StoreFileFacts): CheckLine {
  if (isFileWritable && isFolderWritable) return fine("access", "file and folder may be written");
  return broken("access", "file or folder may not be written", `Look at the owner and modes of ${path}`);
}

/** Windows has no modes to look at. */
function checkFolder({ folder, folderMode }: StoreFileFacts): CheckLine {
  if (folderMode === undefined) return fine("folder", "modes do not count here");
  const text = `mode ${modeText(folderMode)}`;
  if (!isOpenToWriting(folderMode)) return fine("folder", text);
  return doubtful("folder", `${text}, open to other users' writing`, `Run chmod 700 on ${folder}`);
}

const spaceLines = { enough: fine, low: doubtful, none: broken } as const;

function checkSpace({ freeBytes, space }: StoreFileFacts): CheckLine {
  const next = "Free some; while the disk is full, steps wait in memory.";
  return spaceLines[space]("space", `${bytesText(freeBytes)} free`, next);
}

function checkDisk({ isOnNetwork }: StoreFileFacts): readonly CheckLine[] {
  if (!isOnNetwork) return [];
  const next = 'Name a file on a local disk with "store" in your settings file.';
  return [broken("disk", "the file lies on a network share, where SQLite's log does not work", next)];
}
