import { relative, resolve } from "node:path";
import { defined } from "@cm/object-model";
import { storeFileIn, withHome } from "@cm/store-place";
import { visiblePath } from "@cm/terminal-text";
import type { SettingsFile } from "./file-schema.ts";
import { fromHome, projectSettingsFile, settingsFile } from "./folders.ts";
import { mountSources } from "./mount-sources.ts";
import { offOf } from "./off-setting.ts";
import { problemText } from "./problem.ts";
import { flagMistakes, variableMistakes } from "./setting-flags.ts";
import { Resolution, type SettingLayers, type SettingSource, sourcesByModel } from "./setting-layers.ts";
import { isText, type SettingSources } from "./setting-sources.ts";
import type { ProtectSetting, Settings, StoreSetting } from "./settings.ts";
import { readSettingsFile } from "./settings-file.ts";
import { sourcesOf } from "./source-setting.ts";
import { storeSources } from "./store-sources.ts";

/** Settings that were read, for each model that comes to run. */
export interface ReadSettings {
  /** `problems` are the same for all. */
  forModel(model: string | undefined): Settings;
}

/**
 * Settings from `CM_*` variables, else flags, else the project's file, else the user's, else the defaults; a file's
 * section for the model before what it says for all. Lists of what is protected or never opened add up. Reads two small
 * files, synchronously. Never throws: what cannot be understood is a sentence in `problems`, and as if it were not
 * there.
 */
export function openSettings(sources: SettingSources): ReadSettings {
  const { agentDir, home, cwd, isProjectTrusted = false } = sources;
  const own = visiblePath(fromHome(settingsFile(agentDir), home), 200);
  const project = relative(cwd, projectSettingsFile(cwd));
  const layers: SettingLayers = [
    ...(isProjectTrusted
      ? [{ ...readSettingsFile(projectSettingsFile(cwd), { owner: "project", shown: project }), name: project }]
      : []),
    { ...readSettingsFile(settingsFile(agentDir), { owner: "user", shown: own }), name: own },
  ];
  let last: { readonly model: string | undefined; readonly settings: Settings } | undefined;
  return {
    forModel(model) {
      if (last === undefined || last.model !== model) last = { model, settings: settled(sources, layers, model) };
      return last.settings;
    },
  };
}

/** The settings for the model that the sources name. */
export const readSettings = (sources: SettingSources): Settings => openSettings(sources).forModel(sources.model);

function settled(sources: SettingSources, layers: SettingLayers, model: string | undefined): Settings {
  const { env, flags = {}, agentDir, home } = sources;
  const user = layers.at(-1) ?? { file: {}, name: "", problems: [] };
  const resolution = new Resolution();
  const whole = (folder: string): string => resolve(agentDir, withHome(folder, home));
  const roots = user.file.roots?.map(whole);
  const settings = {
    ...offOf(sources, layers, resolution),
    ...forSession(sources, user, resolution),
    ...forModel(sources, sourcesByModel(layers, model), resolution),
    ...defined({ roots }),
    ignore: [...new Set(layers.flatMap(({ file }) => file.ignore ?? []))],
    openSecretFiles: [...new Set(user.file.openSecretFiles ?? [])],
    ...defined({ sources: user.file.sources === undefined ? undefined : sourcesOf(user.file.sources, whole) }),
    discover: discoverOf(user.file, whole),
    agentDir,
  };
  resolution.says("discover", "Now the default holds.");
  resolution.says("roots", roots === undefined ? "Now the default holds." : "Now no file is opened for this session.");
  const problems = [
    ...variableMistakes(env),
    ...flagMistakes(flags),
    ...layers.flatMap((layer) => layer.problems),
    ...resolution.problems,
  ];
  const nowHolds = (setting: string) => resolution.nowHolds(setting);
  return { ...settings, problems: problems.map((problem) => problemText(problem, nowHolds)) };
}

function forSession(
  sources: SettingSources,
  user: SettingLayers[number],
  resolution: Resolution,
): Pick<Settings, "store" | "layout" | "mounts"> {
  const store: StoreSetting = { kind: "sqlite", path: storeFileIn(sources.agentDir) };
  return {
    store: resolution.first("store", store, storeSources(sources, user)),
    layout: resolution.first("layout", "log", [
      ...named("layout", ["log", "ssot"], sources),
      { by: user.name, say: () => user.file.layout },
    ]),
    mounts: resolution.first("mounts", [], mountSources(sources, user)),
  };
}

function forModel(
  sources: SettingSources,
  voices: ReturnType<typeof sourcesByModel>,
  resolution: Resolution,
): Pick<Settings, "preset" | "notices" | "protect"> {
  return {
    preset: resolution.first("preset", "default", [
      ...named("preset", ["careful", "default", "lean"], sources),
      ...voices.map(({ by, said }) => ({ by, say: () => said.preset })),
    ]),
    notices: resolution.first(
      "notices",
      "short",
      voices.map(({ by, said }) => ({ by, say: () => said.notices })),
    ),
    protect: protectOf(voices.map(({ said }) => said.protect)),
  };
}

/** Lists add up: what one setting protects, no other setting releases. The number is that of the most special place. */
function protectOf(said: readonly (SettingsFile["protect"] | undefined)[]): ProtectSetting {
  const all = (list: "tools" | "paths") => [...new Set(said.flatMap((protect) => protect?.[list] ?? []))];
  const prompts = said.find((protect) => protect?.prompts !== undefined)?.prompts ?? 0;
  return { tools: all("tools"), paths: all("paths"), prompts };
}

/** A variable and a flag that choose one of a few names. */
function named<Name extends string>(
  setting: "layout" | "preset",
  names: readonly Name[],
  { env, flags = {} }: SettingSources,
): SettingSource<Name>[] {
  const voice = (value: unknown, by: string): SettingSource<Name> => ({
    by,
    say() {
      if (!isText(value)) return undefined;
      return names.find((one) => one === value) ?? { unusable: `${by} must be one of ${names.join(", ")}` };
    },
  });
  const variable = `CM_${setting.toUpperCase()}`;
  return [voice(env[variable], variable), voice(flags[`cm-${setting}`], `--cm-${setting}`)];
}

function discoverOf(
  { discover = "none" }: Partial<SettingsFile>,
  whole: (folder: string) => string,
): Settings["discover"] {
  if (discover === "none") return [];
  if (discover === "all") return [{ type: "filesystem" }];
  return discover.map((folder) => ({ type: "filesystem", pathPrefix: whole(folder) }));
}
