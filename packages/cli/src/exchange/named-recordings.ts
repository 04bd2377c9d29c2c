import { resolve } from "node:path";
import type { RecordingPlace } from "@cm/recordings";
import type { World } from "../world.ts";

/** The sessions in files that a command names: all those of opencode's database. Paths stay as they were named. */
export async function namedRecordings(
  { cwd }: Pick<World, "cwd">,
  files: readonly string[],
): Promise<readonly RecordingPlace[]> {
  // Loaded here, so that no other command waits for it.
  const { recordingsIn } = await import("@cm/recordings");
  const places: RecordingPlace[] = [];
  for (const file of files)
    for (const place of await recordingsIn(resolve(cwd, file))) places.push({ ...place, path: file });
  return places;
}
