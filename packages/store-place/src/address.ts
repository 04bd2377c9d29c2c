import { homedir } from "node:os";
import { resolve } from "node:path";
import { type Surroundings, withHome } from "./folders.ts";

/** The location of a store. */
export type StoreAddress =
  | { readonly kind: "sqlite" /** Absolute. */; readonly path: string }
  | {
      readonly kind: "xtdb";
      /** At least one; they may hold a login, so they are no text for people: `shownStore` is. */
      readonly urls: readonly string[];
      readonly token?: string;
      /** Empty for none. */
      readonly namespace: string;
    }
  | {
      readonly kind: "postgres";
      /** It may hold a login, as those of nodes may. */
      readonly url: string;
      /** A Postgres schema; absent where the URL says it, or nothing does. */
      readonly schema?: string;
    };

/**
 * What a setting names: the path of a SQLite file, the URL of a Postgres database, or URLs of the nodes of one XTDB with
 * commas between them. Undefined for a URL of another kind.
 */
export function namedStore(
  text: string,
  { home = homedir(), cwd }: Surroundings,
): { readonly path: string } | { readonly postgres: string } | { readonly urls: readonly string[] } | undefined {
  if (/^postgres(?:ql)?:\/\//i.test(text)) return URL.canParse(text) ? { postgres: text } : undefined;
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return { path: resolve(cwd, withHome(text, home)) };
  const urls = nodeUrls(text);
  return urls.every((url) => /^https?:\/\//i.test(url)) ? { urls } : undefined;
}

/** URLs with commas between them, as they stand in a variable. None for an empty one. */
export function nodeUrls(text: string): readonly string[] {
  return text
    .split(",")
    .map((url) => url.trim())
    .filter((url) => url !== "");
}

/** The store as people know it: a path, or the addresses of its nodes. Logins, and all that may be one, stay out. */
export function shownStore(address: StoreAddress): string {
  if (address.kind === "sqlite") return address.path;
  if (address.kind === "postgres") {
    const schema = address.schema ?? URL.parse(address.url)?.searchParams.get("schema") ?? "";
    return `${withoutLogin(address.url)}${schema === "" ? "" : ` (${schema})`}`;
  }
  const part = address.namespace === "" ? "" : ` (${address.namespace})`;
  return `${address.urls.map(withoutLogin).join(", ")}${part}`;
}

function withoutLogin(text: string): string {
  const url = URL.parse(text);
  if (url === null) return "an address that cannot be read";
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}
