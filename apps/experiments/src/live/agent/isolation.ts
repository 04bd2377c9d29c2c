import { spawnSync } from "node:child_process";

/** The access of a model's commands beyond their working copy. */
export type Network = "none" | "open";

/** Namespaces of their own for network, processes and users: what a command starts ends with it, too. */
const isolated = ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc", "--kill-child"];

/** Whether this machine lets a user make such namespaces; only Linux does, and not everywhere. */
export function canIsolate(): boolean {
  const [program = "", ...args] = isolated;
  return spawnSync(program, [...args, "true"], { stdio: "ignore", timeout: 10_000 }).status === 0;
}

/** The shell that runs a command: its words, without the command itself. */
export const shellFor = (network: Network): readonly string[] => [...(network === "none" ? isolated : []), "sh", "-c"];
