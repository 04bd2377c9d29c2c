import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { bytesText, counted, visibleLine } from "@cm/terminal-text";
import { openToOthers } from "../../own-files/keep-private.ts";
import { leftovers, movedAside, type OwnPlaces, ownFiles, stateCacheFile } from "../../own-files/own-files.ts";
import { firstBytesOf } from "../../own-files/sqlite-header.ts";
import { commandLimits } from "../command-limits.ts";
import { type CheckLine, doubtful, fine } from "./check-line.ts";

/** Whether others may read what we keep, whether the cache of file states is one, and what lies about. */
export function checkOwnFiles(places: OwnPlaces): readonly CheckLine[] {
  return [checkRights(places), ...checkCache(places), ...checkLeftovers(places), ...checkAside(places)];
}

function checkRights(places: OwnPlaces): CheckLine {
  if (process.platform === "win32") return fine("rights", "modes do not count here");
  const open = openToOthers(ownFiles(places));
  if (open.length === 0) return fine("rights", "only you may read what is kept");
  const named = open.map(({ path, mode }) => `${basename(path)} (${mode.toString(8)})`).join(", ");
  const text = `open to other users: ${visibleLine(named, commandLimits.noteCharsMax)}`;
  return doubtful("rights", text, "/cm doctor fix closes them.");
}

function checkCache({ store }: OwnPlaces): readonly CheckLine[] {
  if (store.kind !== "sqlite") return [];
  if (!isBadCache(stateCacheFile(store.path))) return [];
  const next = "/cm doctor fix moves it aside; a new one is made, and files are read once more.";
  return [doubtful("cache", "file-states.sqlite is damaged, or another program's", next)];
}

export function isBadCache(path: string): boolean {
  const bytes = firstBytesOf(path);
  return bytes === "other" || bytes === "database";
}

/** What the doctor moved is for people to look at, or to delete. */
function checkAside(places: OwnPlaces): readonly CheckLine[] {
  const paths = movedAside(places);
  const [first] = paths;
  if (first === undefined) return [];
  const bytes = paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  const text = `moved aside earlier: ${counted(paths.length, "file")}, ${bytesText(bytes)}`;
  return [doubtful("aside", text, `Look in ${dirname(first)}, and delete what you do not miss.`)];
}

function checkLeftovers(places: OwnPlaces): readonly CheckLine[] {
  const count = leftovers(places).length;
  if (count === 0) return [];
  return [doubtful("left", `${counted(count, "file")} that nothing needs any more`, "/cm doctor fix deletes them.")];
}
