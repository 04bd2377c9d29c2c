import { relative, resolve } from "node:path";
import { visiblePath } from "../text/visible-line.ts";
import type { SettingsFile } from "./file-schema.ts";
import { defaultStoreFile, fromHome, projectSettingsFile, settingsFile, type Variables, withHome } from "./folders.ts";
import { type Layers, Resolution, type Voice, voicesByModel } from "./layers.ts";
import { checkedMount, distinctMounts, mountSetting, mountSettings } from "./mount-setting.ts";
import { problemText } from "./problem.ts";
import { type FlagValues, flagMistakes, variableMistakes } from "./setting-flags.ts";
import type { MountSetting, ProtectSetting, Settings, StoreSetting } from "./settings.ts";
import { readSettingsFile } from "./settings-file.ts";
import { type NamedStore, nodes, storeSetting, type Unusable } from "./store-setting.ts";

export interface SettingSources {
  readonly env: Variables;
  /** Of Pi's command line. */
  readonly flags?: FlagValues;
  /** Absolute; see `agentFolder`. */
  readonly agentDir: string;
  readonly home: string;
  /** Relative paths of variables and flags count from here. */
  readonly cwd: string;
  /** Whether Pi takes settings from the project in `cwd`. */
  readonly isProjectTrusted?: boolean;
  /** The model that runs, as `provider/id`. */
  readonly model?: string;
}

/** Settings that were read, for each model that comes to run. */
export interface ReadSettings {
  /** `problems` are the same for all. */
  forModel(model: string | undefined): Settings;
}

/**
 * Settings from `CM_*` variables, else flags, else the project's file, else the user's, else the defaults; a file's section
 * for the model before what it says for all. Lists of what is protected or never opened add up. Reads two small files,
 * synchronously. Never throws: what cannot be understood is a sentence in `problems`, and as if it were not there.
 */
export function openSettings(sources: SettingSources): ReadSettings {
  const { agentDir, home, cwd, isProjectTrusted = false } = sources;
  const own = visiblePath(fromHome(settingsFile(agentDir), home), 200);
  const project = relative(cwd, projectSettingsFile(cwd));
  const layers: Layers = [
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

function settled(sources: SettingSources, layers: Layers, model: string | undefined): Settings {
  const { env, flags = {}, agentDir, home } = sources;
  const user = layers.at(-1) ?? { file: {}, name: "", problems: [] };
  const resolution = new Resolution();
  const byModel = voicesByModel(layers, model);
  const roots = user.file.roots?.map((root) => resolve(agentDir, withHome(root, home)));
  resolution.says("roots", roots === undefined ? "Now the default holds." : "Now no file is opened for this session.");
  const read = {
    ...offOf(sources, layers, resolution),
    store: resolution.first<StoreSetting>(
      "store",
      { kind: "sqlite", path: defaultStoreFile(agentDir) },
      storeSaid(sources, user),
    ),
    layout: resolution.first("layout", "log", [
      ...named("layout", ["log", "ssot"], sources),
      { by: user.name, say: () => user.file.layout },
    ]),
    preset: resolution.first("preset", "default", [
      ...named("preset", ["careful", "default", "lean"], sources),
      ...byModel.map(({ by, said }) => ({ by, say: () => said.preset })),
    ]),
    notices: resolution.first(
      "notices",
      "short",
      byModel.map(({ by, said }) => ({ by, say: () => said.notices })),
    ),
    protect: protectOf(byModel.map(({ said }) => said.protect)),
    mounts: resolution.first<readonly MountSetting[]>(
      "mounts",
      [],
      [
        { by: "CM_MOUNTS", say: () => mountsSaid(env.CM_MOUNTS, "CM_MOUNTS") },
        { by: "--cm-mount", say: () => mountsSaid(flags["cm-mount"], "--cm-mount") },
        { by: user.name, say: () => mountsOfFile(user.file, user.name) },
      ],
    ),
    ...(roots === undefined ? {} : { roots }),
    ignore: [...new Set(layers.flatMap(({ file }) => file.ignore ?? []))],
    discover: discoverOf(user.file, (folder) => resolve(agentDir, withHome(folder, home))),
    agentDir,
  } satisfies Omit<Settings, "problems">;
  resolution.says("discover", "Now the default holds.");
  const problems = [
    ...variableMistakes(env),
    ...flagMistakes(flags),
    ...layers.flatMap((layer) => layer.problems),
    ...resolution.problems,
  ];
  return { ...read, problems: problems.map((problem) => problemText(problem, (name) => resolution.nowHolds(name))) };
}

/** A run of Pi that was started with us off, or on, before what files say. */
function offOf(
  { env, flags = {} }: SettingSources,
  layers: Layers,
  resolution: Resolution,
): Pick<Settings, "off" | "offBy"> {
  const switched = (value: string): boolean | Unusable => {
    if (/^(?:1|true|yes|y|on)$/i.test(value.trim())) return true;
    return /^(?:0|false|no|n|off)$/i.test(value.trim()) ? false : { unusable: "CM_OFF must be 1 or 0" };
  };
  const said = resolution.first<Pick<Settings, "off" | "offBy"> | undefined>("off", undefined, [
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
      ({ file, name }): Voice<Pick<Settings, "off" | "offBy">> => ({
        by: name,
        say: () => (file.off === undefined ? undefined : { off: file.off, offBy: "file" }),
      }),
    ),
  ]);
  return said ?? { off: false };
}

/** Lists add up: what somebody protects, nobody else gives away. The number is that of the most special place. */
function protectOf(said: readonly (SettingsFile["protect"] | undefined)[]): ProtectSetting {
  const all = (list: "tools" | "paths") => [...new Set(said.flatMap((protect) => protect?.[list] ?? []))];
  const prompts = said.find((protect) => protect?.prompts !== undefined)?.prompts ?? 0;
  return { tools: all("tools"), paths: all("paths"), prompts };
}

/** Who may name a store, the strongest first. `CM_STORE` is what the command line of `@cm/cli` goes by, too. */
function storeSaid(
  { env, flags = {}, agentDir, home, cwd }: SettingSources,
  { file: { store }, name: fileName }: Layers[number],
): Voice<StoreSetting>[] {
  const shared = { token: env.CM_XTDB_TOKEN, namespace: env.CM_XTDB_NAMESPACE };
  const text = (value: unknown, by: string, { saidBy = by, folder = cwd } = {}): Voice<StoreSetting> => ({
    by,
    say: () => (isText(value) ? storeSetting({ store: value, ...shared }, { saidBy, home, folder }) : undefined),
  });
  const inFile = `${fileName}: "store"`;
  return [
    {
      by: "CM_XTDB_URL",
      say: () => (isText(env.CM_XTDB_URL) ? nodes({ store: env.CM_XTDB_URL, ...shared }, "CM_XTDB_URL") : undefined),
    },
    text(env.CM_STORE, "CM_STORE"),
    text(flags["cm-store"], "--cm-store"),
    typeof store === "object"
      ? {
          by: fileName,
          say: () => nodes({ ...login(store, shared), store: [store.xtdb].flat().join(",") }, inFile),
        }
      : text(store, fileName, { saidBy: inFile, folder: agentDir }),
  ];
}

type Login = Pick<NamedStore, "token" | "namespace">;

const login = (file: Login, variables: Login): Login => ({
  token: variables.token ?? file.token,
  namespace: variables.namespace ?? file.namespace,
});

/** A variable and a flag that choose one of a few names. */
function named<Name extends string>(
  setting: "layout" | "preset",
  names: readonly Name[],
  { env, flags = {} }: SettingSources,
): Voice<Name>[] {
  const voice = (value: unknown, by: string): Voice<Name> => ({
    by,
    say() {
      if (!isText(value)) return undefined;
      return names.find((one) => one === value) ?? { unusable: `${by} must be one of ${names.join(", ")}` };
    },
  });
  const variable = `CM_${setting.toUpperCase()}`;
  return [voice(env[variable], variable), voice(flags[`cm-${setting}`], `--cm-${setting}`)];
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
          ...(mount.filesystemId === undefined ? {} : { filesystemId: mount.filesystemId }),
        }),
  );
  if (read === undefined) return undefined;
  const usable = distinctMounts(read.filter((mount) => mount !== undefined));
  return usable === undefined || read.includes(undefined) ? unusableMounts(`${fileName}: "mounts"`) : usable;
}

const unusableMounts = (saidBy: string): Unusable => ({
  unusable: `${saidBy} must be agent=canonical or agent=canonical@id, with absolute paths and each agent path once`,
});

function discoverOf(
  { discover = "none" }: Partial<SettingsFile>,
  whole: (folder: string) => string,
): Settings["discover"] {
  if (discover === "none") return [];
  if (discover === "all") return [{ type: "filesystem" }];
  return discover.map((folder) => ({ type: "filesystem", pathPrefix: whole(folder) }));
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
