import { homedir } from "node:os";
import { join, resolve } from "node:path";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Surroundings {
  /** Default: the user's home. */
  readonly home?: string;
  readonly cwd: string;
}

/** Pi's own folder: `PI_CODING_AGENT_DIR`, else `~/.pi/agent`. Absolute. */
export function agentFolder(env: Variables, { home = homedir(), cwd }: Surroundings): string {
  const named = env.PI_CODING_AGENT_DIR ?? "";
  return named === "" ? join(home, ".pi", "agent") : resolve(cwd, withHome(named, home));
}

/** Below the agent's folder everything of Context Manager lies in one folder, so that deleting it removes all. */
export const ownFolder = (agentDir: string): string => join(agentDir, "context-manager");

/** The store where no other is named. */
export const storeFileIn = (agentDir: string): string => join(ownFolder(agentDir), "objects.sqlite");

/** Variables and files keep a `~` that no shell has replaced. */
export function withHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
