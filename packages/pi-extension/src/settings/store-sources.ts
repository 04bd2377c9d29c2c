import type { SettingLayers, SettingSource } from "./setting-layers.ts";
import { isText, type SettingSources } from "./setting-sources.ts";
import type { StoreSetting } from "./settings.ts";
import { type NamedStore, nodes, storeSetting } from "./store-setting.ts";

/** Who may name a store, the strongest first. `CM_STORE` is what the command line of `@cm/cli` goes by, too. */
export function storeSources(
  { env, flags = {}, agentDir, home, cwd }: SettingSources,
  { file: { store }, name: fileName }: SettingLayers[number],
): SettingSource<StoreSetting>[] {
  const shared = { token: env.CM_XTDB_TOKEN, namespace: env.CM_XTDB_NAMESPACE };
  const text = (value: unknown, by: string, { saidBy = by, folder = cwd } = {}): SettingSource<StoreSetting> => ({
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
