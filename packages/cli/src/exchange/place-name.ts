import { basename } from "node:path";
import type { RecordingPlace } from "@cm/recordings";
import { visibleLine } from "@cm/terminal-text";
import { limits } from "../limits.ts";

/** A recording's file as it was named or found, with its session where the file holds many. */
export function placeName({ path, session }: RecordingPlace): string {
  return visibleLine(session === undefined ? path : `${path}, ${session}`, limits.fieldCharsMax);
}

/** The same for a line of progress. */
export const shortPlaceName = ({ path, ...place }: RecordingPlace): string =>
  placeName({ path: basename(path), ...place });
