import type { MountMapping } from "./mount-mapping.ts";
import { below, joined, normalPath, parentOf } from "./normal-path.ts";

/** A path in a file system: what a binding says (SSOT 2.3), without its type. */
export interface Place {
  readonly filesystemId: string;
  readonly path: string;
}

export interface MountTableOptions {
  readonly mappings: readonly MountMapping[];
  readonly defaultFilesystemId: string;
}

export interface MountTable {
  readonly mappings: readonly MountMapping[];
  /**
   * The agent's path as a place. `mapped`: a mapping was used; then the place is inside its canonical prefix.
   *
   * @throws CmError `source/invalid-path`: the path is relative
   */
  toCanonical(agentPath: string): Place & { readonly mapped: boolean };
  /**
   * A path at which the agent finds this place; `toCanonical` of it is the place again. Undefined where the agent has
   * none: no mapping leads there, or a nested mapping hides it. Then the canonical path is displayed.
   */
  toAgent(place: Place): string | undefined;
}

/** `mountTable` of mappings that were parsed already, such as those that a reading thread is sent. */
export function tableOfParsed({ mappings, defaultFilesystemId }: MountTableOptions): MountTable {
  const byAgentPrefix = new Map(mappings.map((mapping) => [mapping.agentPrefix, mapping]));
  const byCanonicalPrefix = groupedByCanonicalPrefix(mappings);

  function toCanonical(agentPath: string): Place & { readonly mapped: boolean } {
    const path = normalPath(agentPath);
    for (let folder: string | undefined = path; folder !== undefined; folder = parentOf(folder)) {
      const mapping = byAgentPrefix.get(folder);
      if (mapping === undefined) continue;
      const rest = below(path, folder) ?? "";
      return { filesystemId: mapping.filesystemId, path: joined(mapping.canonicalPrefix, rest), mapped: true };
    }
    return { filesystemId: defaultFilesystemId, path, mapped: false };
  }

  function leadsTo(agentPath: string, { filesystemId, path }: Place): boolean {
    const found = toCanonical(agentPath);
    return found.path === path && found.filesystemId === filesystemId;
  }

  function toAgent(place: Place): string | undefined {
    const normal = { filesystemId: place.filesystemId, path: normalPath(place.path) };
    const { filesystemId, path } = normal;
    for (let folder: string | undefined = path; folder !== undefined; folder = parentOf(folder)) {
      for (const { agentPrefix } of byCanonicalPrefix.get(keyOf(filesystemId, folder)) ?? []) {
        const agentPath = joined(agentPrefix, below(path, folder) ?? "");
        // A mapping below this one may hide the file there.
        if (leadsTo(agentPath, normal)) return agentPath;
      }
    }
    return filesystemId === defaultFilesystemId && leadsTo(path, normal) ? path : undefined;
  }

  return { mappings, toCanonical, toAgent };
}

function groupedByCanonicalPrefix(mappings: readonly MountMapping[]): ReadonlyMap<string, readonly MountMapping[]> {
  const groups = new Map<string, MountMapping[]>();
  for (const mapping of mappings) {
    const key = keyOf(mapping.filesystemId, mapping.canonicalPrefix);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [mapping]);
    else group.push(mapping);
  }
  return groups;
}

function keyOf(filesystemId: string, canonicalPrefix: string): string {
  return `${filesystemId}\0${canonicalPrefix}`;
}
