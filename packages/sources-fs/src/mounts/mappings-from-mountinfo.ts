import type { MountMapping } from "./mount-mapping.ts";
import { MountPlaces, type MountView } from "./mount-view.ts";
import { joined, normalPath, parentOf } from "./normal-path.ts";
import type { Place } from "./parsed-mount-table.ts";

/**
 * The mappings of one mount namespace (SSOT 5.3, 5.4), shortest prefix first. A mount that says nothing new, such as a
 * disk of the host or `/proc`, gives none.
 *
 * @throws CmError `source/limit`
 */
export function mappingsFromMountinfo(text: string, options: Omit<MountView, "mountinfo">): readonly MountMapping[] {
  const places = new MountPlaces({ ...options, mountinfo: text });
  const mappings = new Map<string, MountMapping>();
  const mounts = [...places.mounts].sort((a, b) => a.mountPoint.length - b.mountPoint.length);
  for (const mount of mounts) {
    const agentPrefix = normalPath(mount.mountPoint);
    const { filesystemId, path } = places.placeOf(mount);
    const canonicalPrefix = normalPath(path);
    const known = nearest(agentPrefix, mappings) ?? { filesystemId: options.filesystemId, path: agentPrefix };
    if (known.filesystemId === filesystemId && known.path === canonicalPrefix) continue;
    mappings.set(agentPrefix, { agentPrefix, canonicalPrefix, filesystemId });
  }
  return [...mappings.values()];
}

/** The result of the mappings so far for a path. */
function nearest(path: string, mappings: ReadonlyMap<string, MountMapping>): Place | undefined {
  for (let folder: string | undefined = path; folder !== undefined; folder = parentOf(folder)) {
    const mapping = mappings.get(folder);
    if (mapping === undefined) continue;
    const rest = folder === "/" ? path : path.slice(folder.length);
    return { filesystemId: mapping.filesystemId, path: joined(mapping.canonicalPrefix, rest) };
  }
  return undefined;
}
