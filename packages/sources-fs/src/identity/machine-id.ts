import { limits } from "../limits.ts";

/**
 * Reads what the system says about itself; undefined: it says nothing. Everything that detection learns comes through
 * these, so that tests can hand in any machine.
 */
export interface SystemFacts {
  readonly platform: NodeJS.Platform;
  /** The whole text of a small file; undefined where it cannot be read. */
  readFile(path: string): string | undefined;
  /** Standard output of a command; undefined where it fails. */
  run(command: string, args: readonly string[]): string | undefined;
  readonly hostname: string;
}

export interface MachineId {
  readonly value: string;
  /** Where it was found, for people. */
  readonly from: string;
}

/** The id of the machine or container that this process sees; undefined where it has none. */
export function machineIdOf(facts: SystemFacts): MachineId | undefined {
  switch (facts.platform) {
    case "darwin": {
      const value = parseIoreg(facts.run("/usr/sbin/ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"]) ?? "");
      return value === undefined ? undefined : { value, from: "IOPlatformUUID" };
    }
    case "win32": {
      const key = "HKLM\\SOFTWARE\\Microsoft\\Cryptography";
      const value = parseRegQuery(facts.run("reg", ["query", key, "/v", "MachineGuid", "/reg:64"]) ?? "");
      return value === undefined ? undefined : { value, from: "MachineGuid" };
    }
    default:
      for (const path of ["/etc/machine-id", "/var/lib/dbus/machine-id"]) {
        const value = parseMachineId(facts.readFile(path) ?? "");
        if (value !== undefined) return { value, from: path };
      }
      return undefined;
  }
}

/** The trimmed text of a machine-id file. Images leave it empty, zero or `uninitialized`: that is none. */
function parseMachineId(text: string): string | undefined {
  const id = text.trim();
  return usable(id) ? id : undefined;
}

/** `"IOPlatformUUID" = "..."` from `ioreg -rd1 -c IOPlatformExpertDevice`. */
function parseIoreg(output: string): string | undefined {
  const id = /"IOPlatformUUID"\s*=\s*"([^"\n]*)"/.exec(output)?.[1]?.trim();
  return id !== undefined && usable(id) ? id : undefined;
}

/** `MachineGuid    REG_SZ    ...` from `reg query`. The words around it are translated, these are not. */
function parseRegQuery(output: string): string | undefined {
  const id = /^[ \t]*MachineGuid[ \t]+REG_SZ[ \t]+(\S+)[ \t\r]*$/im.exec(output)?.[1];
  return id !== undefined && usable(id) ? id : undefined;
}

function usable(id: string): boolean {
  return id !== "" && id.length <= limits.factCharsMax && id !== "uninitialized" && !/^[0-]+$/.test(id);
}
