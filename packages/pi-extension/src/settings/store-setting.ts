import { nonEmpty } from "@cm/object-model";
import { namedStore, nodeUrls } from "@cm/store-place";
import { settingLimits as limits } from "./setting-limits.ts";
import type { StoreSetting } from "./settings.ts";

export interface NamedStore {
  /** A path, the URL of a Postgres, or URLs of nodes with commas between them. */
  readonly store: string;
  readonly token?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Said in place of a setting that cannot be used. */
export interface InvalidSetting {
  readonly unusable: string;
}

/** A SQLite file, a Postgres, or the nodes of an XTDB. `saidBy` names the setting in the sentence; values stay out of it. */
export function storeSetting(
  { store, token, namespace = "" }: NamedStore,
  { saidBy, home, folder }: { readonly saidBy: string; readonly home: string; readonly folder: string },
): StoreSetting | InvalidSetting {
  if (store.length > limits.textCharsMax || store.includes("\0")) {
    return { unusable: `${saidBy} is no path and no URL` };
  }
  const named = namedStore(store, { home, cwd: folder });
  if (named !== undefined && "path" in named) return { kind: "sqlite", path: named.path };
  if (named !== undefined && "postgres" in named) return { kind: "postgres", url: named.postgres };
  if (named === undefined) return { unusable: `${saidBy} must be a file, or the URL of a Postgres or of XTDB nodes` };
  return nodes({ store, token, namespace }, saidBy);
}

/** The same for a setting that names nodes of an XTDB only. */
export function nodes(
  { store, token = "", namespace = "" }: NamedStore,
  saidBy: string,
): StoreSetting | InvalidSetting {
  const urls = nodeUrls(store);
  if (urls.length === 0 || urls.length > limits.urlsMax || !urls.every(isHttp)) {
    return { unusable: `${saidBy} must be http or https URLs of XTDB nodes` };
  }
  if (namespace !== "" && !/^[\w.-]{1,64}$/.test(namespace)) {
    return {
      unusable: `The namespace beside ${saidBy} must be 1 to 64 letters, digits, dots, underscores and hyphens`,
    };
  }
  return { kind: "xtdb", urls, namespace, ...nonEmpty({ token }) };
}

const isHttp = (url: string): boolean =>
  url.length <= limits.textCharsMax && /^https?:\/\//i.test(url) && URL.canParse(url);
