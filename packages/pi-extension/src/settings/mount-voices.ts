import { defined } from "@cm/object-model";
import type { SettingsFile } from "./file-schema.ts";
import type { Layers, Voice } from "./layers.ts";
import { checkedMount, distinctMounts, mountSetting, mountSettings } from "./mount-setting.ts";
import { isText, type SettingSources } from "./setting-sources.ts";
import type { MountSetting } from "./settings.ts";
import type { Unusable } from "./store-setting.ts";

/** Who may say where the agent's paths lie, the strongest first. */
export function mountVoices(
  { env, flags = {} }: SettingSources,
  { file, name }: Layers[number],
): Voice<readonly MountSetting[]>[] {
  return [
    { by: "CM_MOUNTS", say: () => mountsSaid(env.CM_MOUNTS, "CM_MOUNTS") },
    { by: "--cm-mount", say: () => mountsSaid(flags["cm-mount"], "--cm-mount") },
    { by: name, say: () => mountsOfFile(file, name) },
  ];
}

function mountsSaid(value: unknown, saidBy: string): readonly MountSetting[] | Unusable | undefined {
  if (!isText(value)) return undefined;
  return mountSettings(value) ?? unusableMounts(saidBy);
}

function mountsOfFile(
  { mounts }: Partial<SettingsFile>,
  fileName: string,
): readonly MountSetting[] | Unusable | undefined {
  const read = mounts?.map((mount) =>
    typeof mount === "string"
      ? mountSetting(mount)
      : checkedMount({
          agentPrefix: mount.agent,
          canonicalPrefix: mount.canonical,
          ...defined({ filesystemId: mount.filesystemId }),
        }),
  );
  if (read === undefined) return undefined;
  const usable = distinctMounts(read.filter((mount) => mount !== undefined));
  return usable === undefined || read.includes(undefined) ? unusableMounts(`${fileName}: "mounts"`) : usable;
}

const unusableMounts = (saidBy: string): Unusable => ({
  unusable: `${saidBy} must be agent=canonical or agent=canonical@id, with absolute paths and each agent path once`,
});
