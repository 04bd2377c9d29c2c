import { join } from "node:path";
import type { PiHome } from "./pi-home.ts";

/** What a program needs of the machine; everything else, keys and proxies above all, stays outside. */
const kept = ["PATH", "LANG", "LC_ALL", "TZ", "SystemRoot"];

export function isolatedEnvironment({ folder, home, agentDir }: PiHome): Record<string, string> {
  const environment: Record<string, string> = {
    HOME: home,
    USERPROFILE: home,
    TMPDIR: join(folder, "tmp"),
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
