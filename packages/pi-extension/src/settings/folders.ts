import { join } from "node:path";
import { ownFolder } from "@cm/store-place";

export const settingsFile = (agentDir: string): string => join(ownFolder(agentDir), "settings.json");

/** Where Pi looks for a project's own settings, too. */
export const projectSettingsFile = (cwd: string): string => join(cwd, ".pi", "context-manager.json");

/** `~` in place of the home, for people. */
export function fromHome(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
