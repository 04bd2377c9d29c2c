import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ownFolder } from "@cm/store-place";
import { settingsFile } from "../settings/folders.ts";
import type { Settings } from "../settings/settings.ts";

/** Something of ours on disk, which only its owner may read. */
export interface OwnFile {
  readonly path: string;
  readonly kind: "file" | "folder";
}

export type OwnPlaces = Pick<Settings, "agentDir" | "store">;

/** Beside a database, with what SQLite puts there. */
const suffixes = ["", "-wal", "-shm", "-journal"] as const;

export const withSidecars = (path: string): readonly string[] => suffixes.map((suffix) => `${path}${suffix}`);

/** The cache of file states between processes. It can be made anew. */
export const stateCacheFile = (storePath: string): string => join(dirname(storePath), "file-states.sqlite");

/**
 * Everything that may be there. A store's folder is ours only where it is the default: others may keep theirs in it.
 */
export function ownFiles({ agentDir, store }: OwnPlaces): readonly OwnFile[] {
  const folder = ownFolder(agentDir);
  const ofStore =
    store.kind === "sqlite"
      ? [...withSidecars(store.path), ...withSidecars(stateCacheFile(store.path)), ...movedAside({ store })]
      : [];
  const files = new Set([settingsFile(agentDir), ...ofStore, ...leftovers({ agentDir, store })]);
  return [{ path: folder, kind: "folder" }, ...[...files].map((path) => ({ path, kind: "file" }) as const)];
}

/** What an earlier run left behind, and nothing needs any more: settings half written, caches that were replaced. */
export function leftovers({ agentDir, store }: OwnPlaces): readonly string[] {
  const cache = store.kind === "sqlite" ? [`${stateCacheFile(store.path)}.replaced`] : [];
  const names = namesIn(ownFolder(agentDir)).filter((name) => /^settings\.json\.[\w-]{36}\.unfinished$/.test(name));
  const replaced = cache.filter((path) => namesIn(dirname(path)).includes("file-states.sqlite.replaced"));
  return [...replaced, ...names.map((name) => join(ownFolder(agentDir), name))];
}

/** Databases that the doctor moved, with what belongs to them: they stay until a person deletes them. */
export function movedAside({ store }: Pick<OwnPlaces, "store">): readonly string[] {
  if (store.kind !== "sqlite") return [];
  const folder = dirname(store.path);
  const starts = [store.path, stateCacheFile(store.path)].map((path) => basename(path));
  return namesIn(folder)
    .filter((name) =>
      starts.some((start) => name.startsWith(`${start}.damaged-`) || name.startsWith(`${start}.aside-`)),
    )
    .map((name) => join(folder, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
