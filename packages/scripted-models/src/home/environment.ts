import { join } from "node:path";
import { root } from "../../../../tools/workspace.ts";
import type { JsonObject } from "../wire/json.ts";

/** A home of Pi in a temporary folder, with nothing of the machine's own: no settings, keys, proxies or sessions. */
export interface PiHome {
  /** All of it. */
  readonly folder: string;
  readonly home: string;
  readonly agentDir: string;
  readonly sessionDir: string;
  readonly workDir: string;
  /** The whole environment of a Pi in this home. */
  environment(extra?: Readonly<Record<string, string>>): Record<string, string>;
  /** Paths of Pi's session files, oldest first. */
  sessionFiles(): Promise<readonly string[]>;
  /** The lines of a session file; default: of the newest. Empty where there is none. */
  sessionEntries(file?: string): Promise<readonly JsonObject[]>;
  /** Writes files into the work folder. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** Registers a clean-up that runs before the home is deleted. */
  onRemove(end: () => Promise<unknown>): void;
  /** Ends what still runs in this home, and deletes it. */
  remove(): Promise<void>;
}

/** Pi would keep compiled code in the temporary folder, which is new in each home: every start would be a first one. */
const compileCache = join(root, ".toolchain/pi/compile-cache");

/** The variables that a program needs; all others, especially keys and proxies, are removed. */
const kept = ["PATH", "LANG", "LC_ALL", "TZ", "SystemRoot"];

export function isolatedEnvironment({ folder, home, agentDir }: PiHome): Record<string, string> {
  const environment: Record<string, string> = {
    HOME: home,
    USERPROFILE: home,
    TMPDIR: join(folder, "tmp"),
    NODE_COMPILE_CACHE: compileCache,
    TERM: "xterm-256color",
    PI_CODING_AGENT_DIR: agentDir,
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
    NO_PROXY: "127.0.0.1",
  };
  for (const name of kept) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
