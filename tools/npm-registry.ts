import { execSync } from "node:child_process";
import { root } from "./workspace.ts";

/** The registry that npm is configured to use here. */
export function registryUrl(): string {
  return npmSetting("registry");
}

/** The file of certificates that npm trusts beside Node's own; undefined where it needs none. */
export function registryCertificates(): string | undefined {
  const file = npmSetting("cafile");
  return file === "" || file === "null" || file === "undefined" ? undefined : file;
}

/** Through a shell, since npm is a script on Windows. */
function npmSetting(name: string): string {
  return execSync(`npm config get ${name}`, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}
