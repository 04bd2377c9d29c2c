import { readlinkSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { SessionStorage } from "../storage/session-storage.ts";

/** Where the breadcrumb of a terminal is. */
export interface BreadcrumbPlace {
  readonly agentDir: string;
  /** As `terminalIdOf` gives it; undefined where there is no terminal: then nothing is left or found. */
  readonly terminalId: string | undefined;
}

/** Names the terminal of this process: its device, or what a terminal program says in the environment. */
export function terminalIdOf(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const device = ttyPath();
  if (device !== undefined) return device.replace(/^\/dev\//, "").replaceAll("/", "-");
  const named: readonly (readonly [string, string])[] = [
    ["kitty", "KITTY_WINDOW_ID"],
    ["tmux", "TMUX_PANE"],
    ["apple", "TERM_SESSION_ID"],
    ["wt", "WT_SESSION"],
  ];
  for (const [prefix, name] of named) {
    const value = env[name];
    if (value) return `${prefix}-${value.replace(/[^\w.-]/g, "-").slice(0, 100)}`;
  }
  return undefined;
}

function ttyPath(): string | undefined {
  if (!process.stdin.isTTY) return undefined;
  try {
    const path = readlinkSync("/proc/self/fd/0");
    return path.startsWith("/dev/") ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Notes the session of this terminal: two lines, the working directory and the file. Never throws. */
export async function writeBreadcrumb(place: BreadcrumbPlace, cwd: string, sessionFile: string): Promise<void> {
  const path = pathOf(place);
  if (path === undefined) return;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, `${cwd}\n${sessionFile}\n`, { mode: 0o600 });
  } catch {
    // A session is worth more than the way back to it.
  }
}

/** The session of this terminal, where it was in the same working directory and its file is still there. */
export async function readBreadcrumb(
  place: BreadcrumbPlace,
  cwd: string,
  storage: SessionStorage,
): Promise<string | undefined> {
  const path = pathOf(place);
  if (path === undefined) return undefined;
  try {
    const [noted, file] = (await readFile(path, "utf8")).trim().split("\n");
    if (noted === undefined || file === undefined || resolve(noted) !== resolve(cwd)) return undefined;
    return (await storage.exists(file)) ? file : undefined;
  } catch {
    return undefined;
  }
}

function pathOf({ agentDir, terminalId }: BreadcrumbPlace): string | undefined {
  return terminalId === undefined ? undefined : join(agentDir, "terminal-sessions", terminalId);
}
