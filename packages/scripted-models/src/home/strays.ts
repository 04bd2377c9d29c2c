import { readdirSync, readlinkSync } from "node:fs";
import { sep } from "node:path";

/**
 * Ends processes that a killed Pi left behind, such as a command of its bash tool: those that stand in a folder that only
 * a home of this kit has. Linux alone shows where a process stands; elsewhere this does nothing.
 */
export function endStrays(folder: string): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const place = readlinkSync(`/proc/${name}/cwd`);
      if (place.startsWith(folder + sep)) process.kill(Number(name), "SIGKILL");
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}
