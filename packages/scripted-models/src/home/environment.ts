import { join } from "node:path";
import { root } from "../../../../tools/workspace.ts";
import type { PiHome } from "./pi-home.ts";

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
