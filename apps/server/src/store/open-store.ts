import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { lineageTypes } from "@cm/lineage";
import { defined, type ObjectStore } from "@cm/object-model";
import { agentFolder, namedStore, nodeUrls, type StoreAddress, storeFileIn } from "@cm/store-place";
import { openSqliteStoreInThread } from "@cm/store-sqlite";
import { withWorkspaceTypes } from "@cm/workspace";
import { serverError } from "../errors.ts";

/** What a server writes: conversations and runs, workspaces and what they govern. */
export const serverTypes = withWorkspaceTypes(lineageTypes);

export type OpenedStore = ObjectStore & { close(): Promise<void> };

export interface StoreOptions {
  /** A SQLite file, or the URL of a Postgres or of an XTDB node. Default: `CM_XTDB_URL`, `CM_STORE`, the file of the Pi extension. */
  readonly store?: string | undefined;
  readonly namespace?: string | undefined;
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The store that is meant. @throws CmError `server/store` */
export function storeAddress(options: StoreOptions, { env, cwd }: Surroundings): StoreAddress {
  const { store = env.CM_XTDB_URL || env.CM_STORE || undefined, namespace = env.CM_XTDB_NAMESPACE ?? "" } = options;
  const address = store === undefined ? { path: storeFileIn(agentFolder(env, { cwd })) } : namedStore(store, { cwd });
  if (address === undefined)
    throw serverError(
      "server/store",
      "The store's URL is neither postgres nor http; name a SQLite file, a Postgres or an XTDB node.",
    );
  if ("path" in address) return { kind: "sqlite", path: address.path };
  if ("postgres" in address)
    return { kind: "postgres", url: address.postgres, ...defined({ schema: options.namespace || undefined }) };
  const urls = store === env.CM_XTDB_URL ? nodeUrls(store ?? "") : address.urls;
  return { kind: "xtdb", urls, namespace };
}

/** Opens the store that is meant, and makes a file where there is none. @throws CmError `server/store`, `store/...` */
export async function openStore(options: StoreOptions, surroundings: Surroundings): Promise<OpenedStore> {
  const address = storeAddress(options, surroundings);
  if (address.kind === "sqlite") return openFile(address.path);
  if (address.kind === "postgres") {
    const { openPostgresStore } = await import("@cm/store-postgres");
    const { url, schema } = address;
    return openPostgresStore({ url, types: serverTypes, ...defined({ schema }) });
  }
  const { openXtdbStore } = await import("@cm/store-xtdb");
  const { urls, namespace } = address;
  const token = surroundings.env.CM_XTDB_TOKEN;
  return openXtdbStore({ urls, namespace, types: serverTypes, ...(token ? { token } : {}) });
}

/** Objects hold what files and tools said: only their owner may read them. */
async function openFile(path: string): Promise<OpenedStore> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw serverError(
      "server/store",
      `The file ${path} cannot be made; name another one with --store.`,
      { path },
      { cause: error },
    );
  }
  return openSqliteStoreInThread({ path, types: serverTypes });
}
