import { defined } from "@cm/object-model";
import type { SettingsFile } from "./file-schema.ts";
import { checkedMount, distinctMounts, mountSetting, mountSettings } from "./mount-setting.ts";
import type { SettingLayers, SettingSource } from "./setting-layers.ts";
import { isText, type SettingSources } from "./setting-sources.ts";
import type { MountSetting } from "./settings.ts";
import type { InvalidSetting } from "./store-setting.ts";

/** Who may say where the agent's paths lie, the strongest first. */
export function mountSources(
  { env, flags = {} }: SettingSources,
  { file, name }: SettingLayers[number],
): SettingSource<readonly MountSetting[]>[] {
  return [
    { by: "CM_MOUNTS", say: () => mountsFromText(env.CM_MOUNTS, "CM_MOUNTS") },
    { by: "--cm-mount", say: () => mountsFromText(flags["cm-mount"], "--cm-mount") },
    { by: name, say: () => mountsOfFile(file, name) },
  ];
}

function mountsFromText(value: unknown, saidBy: string): readonly MountSetting[] | InvalidSetting | undefined {
  if (!isText(value)) return undefined;
  return mountSettings(value) ?? unusableMounts(saidBy);
}

function mountsOfFile(
  { mounts }: Partial<SettingsFile>,
  fileName: string,
): readonly MountSetting[] | InvalidSetting | undefined {
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

const unusableMounts = (saidBy: string): InvalidSetting => ({
  unusable: `${saidBy} must be agent=canonical or agent=canonical@id, with absolute paths and each agent path once`,
});
