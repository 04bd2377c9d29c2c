import type { FoundRecording, RecordingPlace } from "@cm/recordings";
import { counted } from "@cm/terminal-text";
import { limits } from "../limits.ts";
import type { World } from "../world.ts";

export interface FoundFiles {
  readonly places: readonly RecordingPlace[];
  /** One sentence for each bound that left files out. */
  readonly leftOut: readonly string[];
}

/** The newest sessions in the usual folders of the agents, those written to last first. */
export async function findSessionFiles({ env, cwd }: World, newest: number): Promise<FoundFiles> {
  const { findRecordings } = await import("@cm/recordings");
  const { HOME: home } = env;
  const found: FoundRecording[] = [];
  const leftOut: string[] = [];
  for await (const recording of findRecordings({ env, cwd, ...(home === undefined ? {} : { home }) })) {
    if (found.length === limits.reportFoundMax) {
      leftOut.push(`More than ${counted(limits.reportFoundMax, "session")} were found; the others were not looked at.`);
      break;
    }
    found.push(recording);
  }
  found.sort((a, b) => b.mtime.getTime() - a.mtime.getTime());
  const older = found.length - newest;
  if (older > 0) {
    const them = counted(older, "older session");
    leftOut.push(`${them} ${older === 1 ? "is" : "are"} left out; --newest ${found.length} takes all.`);
  }
  return { places: found.slice(0, newest), leftOut };
}
