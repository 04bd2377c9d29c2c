import type { CommandHost } from "../../src/command/command-host.ts";
import { runCommandLine } from "../../src/command/register-command.ts";
import type { BlockedSecretFile } from "../../src/files/blocked-secret-files.ts";
import type { Managed } from "../../src/managed/managed.ts";
import type { Settings } from "../../src/settings/settings.ts";

export const someSettings: Settings = {
  off: false,
  store: { kind: "sqlite", path: "/nowhere/agent/context-manager/objects.sqlite" },
  layout: "log",
  preset: "default",
  protect: { tools: [], paths: [], prompts: 0 },
  notices: "short",
  mounts: [],
  ignore: [],
  openSecretFiles: [],
  discover: [],
  agentDir: "/nowhere/agent",
  problems: [],
};

export interface Said {
  readonly text: string;
  readonly type: string | undefined;
}

export interface CommandWorld {
  readonly host: CommandHost;
  readonly said: readonly Said[];
  /** Types `/cm LINE` and gives what was said last. */
  type(line: string): Promise<Said | undefined>;
}

export function commandWorld(
  managed: Managed | undefined,
  settings: Partial<Settings> = {},
  hasUI = true,
  closed: readonly BlockedSecretFile[] = [],
): CommandWorld {
  let isOn = true;
  const said: Said[] = [];
  const host: CommandHost = {
    managed: () => managed,
    isEnabled: () => isOn,
    setEnabled: async (on) => {
      isOn = on;
    },
    apart: async (work) => work(),
    settings: () => ({ ...someSettings, ...settings }),
    closedSecrets: () => closed,
  };
  const ui = { notify: (text: string, type?: string) => void said.push({ text, type }) };
  const type = async (line: string) => {
    const before = said.length;
    await runCommandLine(host, line, { hasUI, ui, cwd: "memory:w" });
    return said.slice(before).at(-1);
  };
  return { host, said, type };
}
