import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { DialectName } from "../format/dialect.ts";

/** Where a program keeps what is not the session itself. Default: `~/.omp/agent` or `~/.pi/agent`. */
export function defaultAgentDir(dialect: DialectName = "omp"): string {
  return join(homedir(), dialect === "pi" ? ".pi" : ".omp", "agent");
}

/** The folder's name for a working directory: `--projects-pi--` for `/projects/pi`. */
function encodedCwd(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

/** Where the sessions of a working directory are. */
export function defaultSessionDir(cwd: string, agentDir: string = defaultAgentDir()): string {
  return join(agentDir, "sessions", encodedCwd(resolve(cwd)));
}

/** The name of a new session's file: the time without what a file's name may not have, and the id. */
export function sessionFileName(timestamp: string, sessionId: string): string {
  return `${timestamp.replace(/[:.]/g, "-")}_${sessionId}.jsonl`;
}
