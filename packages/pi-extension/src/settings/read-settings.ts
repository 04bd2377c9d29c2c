import { resolve } from "node:path";
import { defaultStoreFile, settingsFile, type Variables, withHome } from "./folders.ts";
import { checkedMount, distinctMounts, mountSetting, mountSettings } from "./mount-setting.ts";
import type { FlagValues } from "./setting-flags.ts";
import type { MountSetting, Settings, StoreSetting } from "./settings.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";
import { sourcesOf } from "./source-setting.ts";
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
}

/** Says something where there is something to say; else asks the next one. */
type Said<Value> = () => Value | Unusable | undefined;

/**
 * Settings from `CM_*` variables, else flags, else `settings.json` below the agent's folder, else the defaults. Reads one
 * small file, synchronously. Never throws: what cannot be understood is a sentence in `problems`.
 */
export function readSettings(sources: SettingSources): Settings {
  const { env, flags = {}, agentDir, home } = sources;
  const path = settingsFile(agentDir);
  const { file, problem } = readSettingsFile(path);
  const problems = problem === undefined ? [] : [problem];

  /** The first that says something usable. What is unusable is said, and the default holds: nobody meant the next one. */
  const first = <Value>(fallback: Value, ...said: readonly Said<Value>[]): Value => {
    for (const say of said) {
      const value = say();
      if (value === undefined) continue;
      if (!isUnusable(value)) return value;
      problems.push(value.unusable);
      return fallback;
    }
    return fallback;
  };

  const roots = file.roots?.map((root) => resolve(agentDir, withHome(root, home)));
  return {
    off:
      env.CM_OFF === undefined || env.CM_OFF === "" ? flags["cm-off"] === true || file.off === true : isOn(env.CM_OFF),
    store: first<StoreSetting>({ kind: "sqlite", path: defaultStoreFile(agentDir) }, ...storeSaid(sources, file)),
    layout: first("log", ...oneOf(["log", "ssot"], "layout", { env, flags, file })),
    preset: first("default", ...oneOf(["careful", "default", "lean"], "preset", { env, flags, file })),
    mounts: first<readonly MountSetting[]>(
      [],
      () => mountsSaid(env.CM_MOUNTS, "CM_MOUNTS"),
      () => mountsSaid(flags["cm-mount"], "--cm-mount"),
      () => mountsOfFile(file, path),
    ),
    ...(roots === undefined ? {} : { roots }),
    ignore: file.ignore ?? [],
    ...(file.sources === undefined
      ? {}
      : { sources: sourcesOf(file.sources, (folder) => resolve(agentDir, withHome(folder, home))) }),
    discover: discoverOf(file, (folder) => resolve(agentDir, withHome(folder, home))),
    agentDir,
    problems,
  };
}

const isUnusable = (value: unknown): value is Unusable =>
  typeof value === "object" && value !== null && "unusable" in value;

const isOn = (value: string): boolean => !/^(?:0|false|no|off)$/i.test(value.trim());

/** Who may name a store, the strongest first. `CM_STORE` is what the command line of `@cm/cli` goes by, too. */
function storeSaid(
  { env, flags = {}, agentDir, home, cwd }: SettingSources,
  { store }: SettingsFile,
): Said<StoreSetting>[] {
  const shared = { token: env.CM_XTDB_TOKEN, namespace: env.CM_XTDB_NAMESPACE };
  const named = (name: unknown, saidBy: string, folder = cwd): Said<StoreSetting> => {
    return () => (isText(name) ? storeSetting({ store: name, ...shared }, { saidBy, home, folder }) : undefined);
  };
  const inFile = `"store" in ${settingsFile(agentDir)}`;
  return [
    () => (isText(env.CM_XTDB_URL) ? nodes({ store: env.CM_XTDB_URL, ...shared }, "CM_XTDB_URL") : undefined),
    named(env.CM_STORE, "CM_STORE"),
    named(flags["cm-store"], "--cm-store"),
    typeof store === "object"
      ? () => nodes({ ...login(store, shared), store: [store.xtdb].flat().join(",") }, inFile)
      : named(store, inFile, agentDir),
  ];
}

type Login = Pick<NamedStore, "token" | "namespace">;

const login = (file: Login, variables: Login): Login => ({
  token: variables.token ?? file.token,
  namespace: variables.namespace ?? file.namespace,
});

function oneOf<Name extends string>(
  names: readonly Name[],
  setting: "layout" | "preset",
  { env, flags, file }: { readonly env: Variables; readonly flags: FlagValues; readonly file: SettingsFile },
): Said<Name>[] {
  const variable = `CM_${setting.toUpperCase()}`;
  const said = (value: unknown, saidBy: string): Said<Name> => {
    return () => {
      if (!isText(value)) return undefined;
      const name = names.find((one) => one === value);
      return name ?? { unusable: `${saidBy} must be one of ${names.join(", ")}; the default is used.` };
    };
  };
  return [
    said(env[variable], variable),
    said(flags[`cm-${setting}`], `--cm-${setting}`),
    said(file[setting], `"${setting}"`),
  ];
}

function mountsSaid(value: unknown, saidBy: string): readonly MountSetting[] | Unusable | undefined {
  if (!isText(value)) return undefined;
  return mountSettings(value) ?? unusableMounts(saidBy);
}

function mountsOfFile({ mounts }: SettingsFile, path: string): readonly MountSetting[] | Unusable | undefined {
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
  return usable === undefined || read.includes(undefined) ? unusableMounts(`"mounts" in ${path}`) : usable;
}

const unusableMounts = (saidBy: string): Unusable => ({
  unusable: `${saidBy} must be agent=canonical or agent=canonical@id, with absolute paths; no mount is used.`,
});

function discoverOf({ discover = "none" }: SettingsFile, whole: (folder: string) => string): Settings["discover"] {
  if (discover === "none") return [];
  if (discover === "all") return [{ type: "filesystem" }];
  return discover.map((folder) => ({ type: "filesystem", pathPrefix: whole(folder) }));
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
