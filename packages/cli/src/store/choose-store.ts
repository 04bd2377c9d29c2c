import { agentFolder, namedStore, nodeUrls, type StoreAddress, storeFileIn } from "@cm/store-place";
import { cliError } from "../errors.ts";

/** Which store is meant, and who says so. */
export type StoreChoice = { readonly saidBy: string } & StoreAddress;

export interface StoreOptions {
  readonly store?: string;
  readonly namespace?: string;
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * `--store`, else `CM_XTDB_URL`, else `CM_STORE`, else the file of the Pi extension.
 * @param option which option gave `store`
 * @throws CmError `cli/usage`
 */
export function chooseStore(options: StoreOptions, { env, cwd }: Surroundings, option = "--store"): StoreChoice {
  const { store } = options;
  if (store !== undefined) {
    if (store === "")
      throw cliError(
        "cli/usage",
        `${option} names nothing; give a SQLite file, or the URL of a Postgres or of an XTDB node.`,
      );
    return named(store, option, options, { env, cwd });
  }
  if (isSet(env.CM_XTDB_URL)) return xtdb(nodeUrls(env.CM_XTDB_URL), "CM_XTDB_URL", options, env);
  if (isSet(env.CM_STORE)) return named(env.CM_STORE, "CM_STORE", options, { env, cwd });
  const home = isSet(env.HOME) ? { home: env.HOME } : {};
  return sqlite(storeFileIn(agentFolder(env, { cwd, ...home })), "the default", options);
}

function named(value: string, saidBy: string, options: StoreOptions, { env, cwd }: Surroundings): StoreChoice {
  const store = namedStore(value, { cwd });
  if (store === undefined) {
    throw cliError(
      "cli/usage",
      `${saidBy} has a URL that is neither postgres nor http; give a SQLite file, a Postgres or an XTDB node.`,
    );
  }
  if ("postgres" in store) {
    const { namespace } = options;
    return { kind: "postgres", url: store.postgres, saidBy, ...(namespace === undefined ? {} : { schema: namespace }) };
  }
  return "path" in store ? sqlite(store.path, saidBy, options) : xtdb(store.urls, saidBy, options, env);
}

function sqlite(path: string, saidBy: string, { namespace }: StoreOptions): StoreChoice {
  if (namespace !== undefined) {
    throw cliError("cli/usage", "--namespace is for Postgres and XTDB; a SQLite file has none. Leave it out.");
  }
  return { kind: "sqlite", path, saidBy };
}

function xtdb(
  urls: readonly string[],
  saidBy: string,
  { namespace }: StoreOptions,
  env: Surroundings["env"],
): StoreChoice {
  return {
    kind: "xtdb",
    urls,
    saidBy,
    namespace: namespace ?? env.CM_XTDB_NAMESPACE ?? "",
    ...(isSet(env.CM_XTDB_TOKEN) ? { token: env.CM_XTDB_TOKEN } : {}),
  };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
