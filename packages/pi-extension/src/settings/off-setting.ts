import type { Resolution, SettingLayers, SettingSource } from "./setting-layers.ts";
import type { SettingSources } from "./setting-sources.ts";
import type { Settings } from "./settings.ts";
import type { InvalidSetting } from "./store-setting.ts";

type Off = Pick<Settings, "off" | "offBy">;

/** A run of Pi that was started with us off, or on, before what files say. */
export function offOf({ env, flags = {} }: SettingSources, layers: SettingLayers, resolution: Resolution): Off {
  const switched = (value: string): boolean | InvalidSetting => {
    if (/^(?:1|true|yes|y|on)$/i.test(value.trim())) return true;
    return /^(?:0|false|no|n|off)$/i.test(value.trim()) ? false : { unusable: "CM_OFF must be 1 or 0" };
  };
  const said = resolution.first<Off | undefined>("off", undefined, [
    {
      by: "CM_OFF",
      say: () => {
        if (env.CM_OFF === undefined || env.CM_OFF === "") return undefined;
        const off = switched(env.CM_OFF);
        return typeof off === "boolean" ? { off, offBy: "run" } : off;
      },
    },
    { by: "--cm-off", say: () => (flags["cm-off"] === true ? { off: true, offBy: "run" } : undefined) },
    ...layers.map(
      ({ file, name }): SettingSource<Off> => ({
        by: name,
        say: () => (file.off === undefined ? undefined : { off: file.off, offBy: "file" }),
      }),
    ),
  ]);
  return said ?? { off: false };
}
