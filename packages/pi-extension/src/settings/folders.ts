import { join, resolve } from "node:path";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Pi's own folder: `PI_CODING_AGENT_DIR`, else `~/.pi/agent`. Absolute. */
export function agentFolder(env: Variables, { home, cwd }: { readonly home: string; readonly cwd: string }): string {
  const named = env.PI_CODING_AGENT_DIR ?? "";
  return named === "" ? join(home, ".pi", "agent") : resolve(cwd, withHome(named, home));
}

/** Everything that is ours lies in one folder, so that deleting it removes us. */
export const ownFolder = (agentDir: string): string => join(agentDir, "context-manager");

export const settingsFile = (agentDir: string): string => join(ownFolder(agentDir), "settings.json");

/** Where Pi looks for a project's own settings, too. */
export const projectSettingsFile = (cwd: string): string => join(cwd, ".pi", "context-manager.json");

/** As `@cm/cli` has it. */
export const defaultStoreFile = (agentDir: string): string => join(ownFolder(agentDir), "objects.sqlite");

/** Variables and files keep a `~` that no shell has replaced. */
export function withHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}

/** The same the other way, for people. */
export function fromHome(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
