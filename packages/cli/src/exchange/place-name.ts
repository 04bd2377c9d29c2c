import { basename } from "node:path";
import type { RecordingPlace } from "@cm/recordings";
import { visibleLine } from "@cm/terminal-text";
import { limits } from "../limits.ts";

/** A recording's file as it was named or found, with its session where the file holds many. */
export function placeName({ path, session }: RecordingPlace): string {
  return visibleLine(session === undefined ? path : `${path}, ${session}`, limits.fieldCharsMax);
}

/** What is wrong with it, as one line; many of these sentences begin with the file's short name. */
export function placeProblem(place: RecordingPlace, sentence: string): string {
  const short = `${basename(place.path)} `;
  const [between, rest] = sentence.startsWith(short) ? [" ", sentence.slice(short.length)] : [": ", sentence];
  return `${placeName(place)}${between}${visibleLine(rest, limits.fieldCharsMax)}`;
}

/** Its name for a line of progress. */
export const shortPlaceName = ({ path, ...place }: RecordingPlace): string =>
  placeName({ path: basename(path), ...place });
