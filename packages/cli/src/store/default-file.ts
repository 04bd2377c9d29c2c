import { homedir } from "node:os";
import { join } from "node:path";

/** Where the Pi extension keeps its objects, below the agent's folder. */
export const agentStoreFile = join("context-manager", "objects.sqlite");

/** The file that is meant where nothing else is said. */
export function defaultStoreFile(env: Readonly<Record<string, string | undefined>>, home: string = homedir()): string {
  const folder = env.PI_CODING_AGENT_DIR ?? "";
  return join(folder === "" ? join(home, ".pi", "agent") : withHome(folder, home), agentStoreFile);
}

/** Variables keep a `~` that no shell has replaced. */
function withHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
