import type { FilesystemBinding } from "@cm/object-model";
import { reasons } from "../reasons.ts";
import type { MountMapping } from "./mount-mapping.ts";
import { below, isAbsolutePath, joined, normalPath, parentOf } from "./normal-path.ts";
import { type MountTable, type Place, tableOfParsed } from "./parsed-mount-table.ts";

/** Where objects that were bound on another machine are found on this one (SSOT 5.3). */
export interface Relocation {
  readonly filesystemId: string;
  readonly canonicalPrefix: string;
  readonly localPrefix: string;
}

/** Plain data, so that each thread makes its own `Places` of it. Mappings are parsed ones. */
export interface PlacesOptions {
  /** The client's own file systems: its paths on the agent's side of the mappings. */
  readonly environment: { readonly filesystemId: string; readonly mappings: readonly MountMapping[] };
  /** The file systems of the agent's paths; without it the agent sees the client's paths. */
  readonly sandbox?: { readonly filesystemId: string; readonly mappings: readonly MountMapping[] } | undefined;
  readonly relocations?: readonly Relocation[] | undefined;
}

export interface LocalPath {
  readonly path: string;
  readonly relocated: boolean;
}

/** Between the three kinds of path: the agent's, the canonical one of a binding, and the one this client opens. */
export interface Places {
  /** Whether the agent sees other paths than this client. */
  readonly translates: boolean;
  bindingOf(agentPath: string): FilesystemBinding;
  bindingOfLocal(localPath: string): FilesystemBinding;
  /** `relocated`: a configured relocation leads there, so that the place is not this client's own name of the file. */
  localPathOf(place: Place): LocalPath | { readonly unreachable: string };
  /**
   * SSOT 2.4: a place of another machine that is looked for here is a file of this machine. Undefined where no relocation
   * leads, and where the agent itself finds the place: then it is the very file, and the relocation is only our way there.
   */
  ownOf(place: Place): FilesystemBinding | undefined;
  /** SSOT 5.3: the agent's path, and the canonical one where no mapping leads to it. */
  displayOf(place: Place): string;
}

export function createPlaces({ environment, sandbox, relocations = [] }: PlacesOptions): Places {
  const local = tableOfParsed({ mappings: environment.mappings, defaultFilesystemId: environment.filesystemId });
  const agent =
    sandbox === undefined
      ? local
      : tableOfParsed({ mappings: sandbox.mappings, defaultFilesystemId: sandbox.filesystemId });
  const localOf = byFolder(local);
  const moved = relocations
    .map((one) => ({ ...one, from: normalPath(one.canonicalPrefix), to: normalPath(one.localPrefix) }))
    .sort((a, b) => b.from.length - a.from.length);

  function relocated({ filesystemId, path }: Place): string | undefined {
    for (const one of moved) {
      const rest = one.filesystemId === filesystemId ? below(path, one.from) : undefined;
      if (rest !== undefined) return joined(one.to, rest);
    }
    return undefined;
  }

  function ownOf(place: Place): FilesystemBinding | undefined {
    const here = relocated(place);
    if (here === undefined || (sandbox !== undefined && agent.toAgent(place) !== undefined)) return undefined;
    const { filesystemId, path } = local.toCanonical(here);
    return filesystemId === place.filesystemId && path === place.path ? undefined : bindingAt({ filesystemId, path });
  }

  return {
    translates: sandbox !== undefined,
    bindingOf: (agentPath) => bindingAt(agent.toCanonical(agentPath)),
    bindingOfLocal: (localPath) => bindingAt(local.toCanonical(localPath)),
    localPathOf: (place) => {
      if (!isNormal(place.path)) return { unreachable: reasons.notCanonical };
      // Configuration wins over what was detected.
      const there = relocated(place);
      if (there !== undefined) return { path: there, relocated: true };
      const path = localOf(place);
      return path === undefined ? { unreachable: reasons.noMapping } : { path, relocated: false };
    },
    ownOf,
    displayOf: (place) => agent.toAgent(ownOf(place) ?? place) ?? place.path,
  };
}

/**
 * `table.toAgent`, which a sweep asks for one file after the other of a folder: a file lies where its folder does,
 * unless a mapping is made for it alone.
 */
function byFolder(table: MountTable): (place: Place) => string | undefined {
  const alone = new Set(table.mappings.flatMap(({ agentPrefix, canonicalPrefix }) => [agentPrefix, canonicalPrefix]));
  let last: { readonly place: Place; readonly found: string | undefined } | undefined;
  return (place) => {
    const { filesystemId, path } = place;
    const folder = parentOf(path);
    if (folder === undefined || alone.has(path)) return table.toAgent(place);
    if (last?.place.path !== folder || last.place.filesystemId !== filesystemId) {
      const at = { filesystemId, path: folder };
      last = { place: at, found: table.toAgent(at) };
    }
    const found = last.found === undefined ? undefined : joined(last.found, path.slice(path.lastIndexOf("/")));
    return found === undefined || alone.has(found) ? table.toAgent(place) : found;
  };
}

function isNormal(path: string): boolean {
  return isAbsolutePath(path) && !path.includes("\0") && normalPath(path) === path;
}

function bindingAt({ filesystemId, path }: Place): FilesystemBinding {
  return { type: "filesystem", filesystemId, path };
}
