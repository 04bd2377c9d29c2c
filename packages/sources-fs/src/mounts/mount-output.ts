import { limits } from "../limits.ts";
import { networkFilesystemId } from "./filesystem-ids.ts";
import { mountKind } from "./mount-kind.ts";
import type { MountMapping } from "./mount-mapping.ts";
import { normalPath } from "./normal-path.ts";

/**
 * The network mounts that `mount` prints on macOS and BSD: `//ada@nas/projects on /Volumes/projects (smbfs, nodev)`.
 * Everything else there belongs to the machine.
 */
export function mappingsFromMountOutput(output: string): readonly MountMapping[] {
  const mappings = new Map<string, MountMapping>();
  for (const line of output.slice(0, limits.factsCharsMax).split("\n").slice(0, limits.mountsMax)) {
    // Names are the servers', so none may cost more than its length.
    if (line.length > limits.prefixCharsMax) continue;
    const [, source, mountPoint, type] = /^(.+?) on (\/.*) \(([a-z0-9]+)[,)]/i.exec(line) ?? [];
    if (source === undefined || mountPoint === undefined || type === undefined) continue;
    if (mountKind({ type }) !== "network") continue;
    const agentPrefix = normalPath(mountPoint);
    const filesystemId = networkFilesystemId(type, decoded(source));
    mappings.set(agentPrefix, { agentPrefix, canonicalPrefix: "/", filesystemId });
  }
  return [...mappings.values()];
}

/** This system writes sources as URLs. */
function decoded(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    return source;
  }
}
