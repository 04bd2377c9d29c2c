import { deviceFilesystemId } from "./filesystem-ids.ts";
import type { MountMapping } from "./mount-mapping.ts";
import { normalPath } from "./normal-path.ts";

/** The fields of a folder's `stat`, as decimal text. */
export interface FolderFacts {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
}

export interface DeviceMappingOptions {
  /** Of `/` in the sandbox, and its device number. */
  readonly filesystemId: string;
  readonly rootDevice: string;
  /** Folders of the host that may be mounted there. Same device and inode: the same folder. */
  readonly host?: { readonly filesystemId: string; readonly folders: readonly FolderFacts[] };
}

/**
 * The fallback of SSOT 5.3: device numbers tell file systems apart where nothing else is known. A folder that is one of
 * the host's by device and inode is mapped to it. Any other one on a device of its own gets the device id.
 */
export function mappingsFromDevices(
  folders: readonly FolderFacts[],
  { filesystemId, rootDevice, host }: DeviceMappingOptions,
): readonly MountMapping[] {
  const keyOf = ({ device, inode }: FolderFacts): string => `${device} ${inode}`;
  const known = new Map(host?.folders.map((folder) => [keyOf(folder), normalPath(folder.path)]));
  return folders.flatMap((folder) => {
    const agentPrefix = normalPath(folder.path);
    const hostPath = known.get(keyOf(folder));
    if (host !== undefined && hostPath !== undefined) {
      return [{ agentPrefix, canonicalPrefix: hostPath, filesystemId: host.filesystemId }];
    }
    if (folder.device === rootDevice) return [];
    const id = deviceFilesystemId({ owner: filesystemId, device: folder.device });
    return [{ agentPrefix, canonicalPrefix: agentPrefix, filesystemId: id }];
  });
}
