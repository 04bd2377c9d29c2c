import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resultOf, storeError } from "./errors.ts";

/** SQLite's words for a file in whose folder it cannot make its log, as on a CD, a snapshot or a backup. */
const readOnly = 8;
const cannotOpen = 14;

/**
 * How to read a file that SQLite could not open only because nothing may be written beside it: as one that does not
 * change. That is right where nothing waits in a log. Undefined where something else is wrong.
 * @throws CmError `store/unavailable` where the log has something, which only a folder that can be written shows
 */
export function unchangingFile(path: string, error: unknown): URL | undefined {
  const result = resultOf(error);
  if (result !== readOnly && result !== cannotOpen) return undefined;
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw waitsInLog();
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

function waitsInLog() {
  return storeError(
    "store/unavailable",
    "What was written last is in the log beside the database (-wal), which cannot be read where nothing may be written; copy both files into a folder of your own and name the copy.",
  );
}
