import { accessSync, constants, type Stats, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { limits } from "./limits.ts";

/** The machine's facts about a SQLite file and its folder. */
export interface StoreFileFacts {
  readonly folder: string;
  readonly bytes: number;
  /** The bytes of the write-ahead log beside it; 0 for none. */
  readonly logBytes: number;
  readonly isLogLarge: boolean;
  /** Whether this user may read and write the file; the folder. */
  readonly isFileWritable: boolean;
  readonly isFolderWritable: boolean;
  /** Permission bits, with the sticky one; undefined where files have none (Windows). */
  readonly fileMode: number | undefined;
  readonly folderMode: number | undefined;
  readonly freeBytes: number;
  /** `low`: worth a warning. `none`: a commit may not fit. */
  readonly space: "enough" | "low" | "none";
  /** On a network share SQLite's log does not work. */
  readonly isOnNetwork: boolean;
}

/** Types of file systems that other machines may write to, as `statfs` numbers them: NFS and Windows shares. */
const networkTypes: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/**
 * What can be found out without opening the file. `missing`: neither the file nor perhaps its folder is there. `other`:
 * something that is no file, or no folder, is in its place.
 * @throws what `stat` throws where the folder may not be entered
 */
export function storeFileFacts(path: string): StoreFileFacts | "missing" | "other" {
  const folder = dirname(path);
  const file = statSync(path, { throwIfNoEntry: false });
  const around = statSync(folder, { throwIfNoEntry: false });
  if (around?.isDirectory() === false || file?.isFile() === false) return "other";
  if (file === undefined || around === undefined) return "missing";
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const { bavail, bsize, type } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  return {
    folder,
    bytes: file.size,
    logBytes,
    isLogLarge: logBytes > limits.logBytesWarn,
    isFileWritable: isPlaceWritable(path),
    isFolderWritable: isPlaceWritable(folder),
    fileMode: modeOf(file),
    folderMode: modeOf(around),
    freeBytes,
    space: freeBytes < limits.freeBytesFail ? "none" : freeBytes < limits.freeBytesWarn ? "low" : "enough",
    isOnNetwork: networkTypes.has(type),
  };
}

/** Whether this user may read and write a file or a folder that is there. */
export function isPlaceWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Sessions hold what files and tools said: other users should not read them. */
export const isOpenToReading = (mode: number | undefined): boolean => mode !== undefined && (mode & 0o077) !== 0;

/** A user with write access to the folder can replace the store's file. */
export const isOpenToWriting = (mode: number | undefined): boolean => mode !== undefined && (mode & 0o022) !== 0;

/** `700`. */
export const modeText = (mode: number): string => (mode & 0o777).toString(8);

const modeOf = ({ mode }: Stats): number | undefined => (process.platform === "win32" ? undefined : mode & 0o1777);
