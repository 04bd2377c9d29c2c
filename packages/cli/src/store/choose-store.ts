import { resolve } from "node:path";
import { cliError } from "../errors.ts";
import { defaultStoreFile } from "./default-file.ts";

/** Which store is meant, and who says so. */
export type StoreChoice = { readonly saidBy: string } & (
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "xtdb"; readonly urls: readonly string[]; readonly namespace: string; readonly token?: string }
);

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
 * @throws CmError `cli/usage`
 */
export function chooseStore(options: StoreOptions, { env, cwd }: Surroundings): StoreChoice {
  const { store } = options;
  if (store !== undefined) {
    if (store === "")
      throw cliError("cli/usage", "--store names nothing; give a SQLite file or the URL of an XTDB node.");
    return named(store, "--store", options, { env, cwd });
  }
  if (isSet(env.CM_XTDB_URL)) return xtdb(env.CM_XTDB_URL, "CM_XTDB_URL", options, env);
  if (isSet(env.CM_STORE)) return named(env.CM_STORE, "CM_STORE", options, { env, cwd });
  return sqlite(defaultStoreFile(env), "the default", options, cwd);
}

function named(value: string, saidBy: string, options: StoreOptions, { env, cwd }: Surroundings): StoreChoice {
  if (/^https?:\/\//i.test(value)) return xtdb(value, saidBy, options, env);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) {
    throw cliError(
      "cli/usage",
      `${saidBy} has a URL that is neither http nor https; give a SQLite file or an XTDB node.`,
    );
  }
  return sqlite(value, saidBy, options, cwd);
}

function sqlite(path: string, saidBy: string, { namespace }: StoreOptions, cwd: string): StoreChoice {
  if (namespace !== undefined) {
    throw cliError("cli/usage", "--namespace is for XTDB nodes; a SQLite file has none. Leave it out.");
  }
  return { kind: "sqlite", path: resolve(cwd, path), saidBy };
}

function xtdb(value: string, saidBy: string, { namespace }: StoreOptions, env: Surroundings["env"]): StoreChoice {
  return {
    kind: "xtdb",
    urls: value.split(","),
    saidBy,
    namespace: namespace ?? env.CM_XTDB_NAMESPACE ?? "",
    ...(isSet(env.CM_XTDB_TOKEN) ? { token: env.CM_XTDB_TOKEN } : {}),
  };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
