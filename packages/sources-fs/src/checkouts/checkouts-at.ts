import { readdirSync } from "node:fs";
import type { Checkout } from "@cm/object-model";
import { checkoutLimits as limits } from "../limits.ts";
import { joined } from "../mounts/normal-path.ts";
import type { Places } from "../mounts/places.ts";
import { enclosingWorkTree, gitFoldersOf, isWorkTreeTop } from "../rules/git-folder.ts";
import { headOf } from "./head-of.ts";
import { remoteOf } from "./remote-of.ts";

/** The git work trees around these folders, or directly below one that lies in none: by path, each once. */
export function checkoutsAt(folders: readonly string[], places: Pick<Places, "bindingOfLocal">): readonly Checkout[] {
  const tops = new Set(folders.flatMap(workTreesOf));
  return [...tops]
    .sort()
    .slice(0, limits.checkoutsMax)
    .map((top) => checkoutOf(top, places));
}

function workTreesOf(folder: string): readonly string[] {
  const around = enclosingWorkTree(folder);
  return around === undefined
    ? namesIn(folder)
        .map((name) => joined(folder, `/${name}`))
        .filter(isWorkTreeTop)
    : [around];
}

function checkoutOf(top: string, places: Pick<Places, "bindingOfLocal">): Checkout {
  const { own, common } = gitFoldersOf(top);
  const { filesystemId, path } = places.bindingOfLocal(top);
  const shared = places.bindingOfLocal(common);
  const repository = remoteOf(common) ?? `${shared.filesystemId}:${shared.path}`;
  return { namespace: filesystemId, root: path, repository, ...headOf(own, common) };
}

function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}
