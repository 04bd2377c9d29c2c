import { isOpenToReading, isOpenToWriting, modeText, type StoreFileFacts, storeFileFacts } from "@cm/store-place";
import { bytesText } from "@cm/terminal-text";
import { type CheckLine, fail, ok, warn } from "./check-line.ts";

/** The file system's facts about an existing SQLite file. */
export function checkFile(path: string): readonly CheckLine[] {
  const facts = storeFileFacts(path);
  // The file was opened before; this line applies if it was removed since.
  if (typeof facts === "string") return [];
  return [checkStoreFile(path, facts), checkFolder(facts), ...checkDisk(facts), ...checkLog(facts)];
}

/** Windows has no such modes. */
function checkStoreFile(path: string, { isFileWritable, fileMode }: StoreFileFacts): CheckLine {
  if (!isFileWritable) {
    return warn("file", `${path} may not be written`, "Looking works, all else does not; check its permissions.");
  }
  if (!isOpenToReading(fileMode)) return ok("file", path);
  return warn("file", `${path} is open to other users (${modeText(fileMode ?? 0)})`, "Run chmod 600 on it.");
}

function checkFolder({ folder, isFolderWritable, folderMode = 0 }: StoreFileFacts): CheckLine {
  if (!isFolderWritable) {
    return warn(
      "folder",
      `${folder} may not be written`,
      "Looking works where no log waits beside the file; to write, copy it into a folder of your own.",
    );
  }
  if (!isOpenToWriting(folderMode)) return ok("folder", folder);
  const isShared = (folderMode & 0o1000) !== 0;
  const next = isShared ? "Move the store into a folder of your own." : "Run chmod 700 on it.";
  return warn("folder", `Other users may write to ${folder} (${modeText(folderMode)})`, next);
}

const spaceLines = { enough: ok, low: warn, none: fail } as const;

function checkDisk({ freeBytes, space, isOnNetwork }: StoreFileFacts): readonly CheckLine[] {
  const next = "Free some space; commits fail when the disk is full.";
  const line = spaceLines[space]("space", `${bytesText(freeBytes)} free`, next);
  if (!isOnNetwork) return [line];
  return [
    line,
    fail("disk", "The file lies on a network share, where SQLite's log does not work", "Move it to a local disk."),
  ];
}

/** The log is emptied now and then; one that grows has a reader that never ends, or writers that were killed. */
function checkLog({ logBytes, isLogLarge }: StoreFileFacts): readonly CheckLine[] {
  if (!isLogLarge) return [];
  const text = `The log beside the file has ${bytesText(logBytes)}`;
  return [warn("log", text, "Run cm compact while no other program uses it.")];
}
