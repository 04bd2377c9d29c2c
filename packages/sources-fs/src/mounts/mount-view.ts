import { deviceFilesystemId, networkFilesystemId, tmpfsFilesystemId } from "./filesystem-ids.ts";
import { mountKind } from "./mount-kind.ts";
import { type MountEntry, parseMountinfo, visibleMounts } from "./mountinfo.ts";
import { below, joined, normalPath, parentOf } from "./normal-path.ts";
import type { Place } from "./parsed-mount-table.ts";

/** The mounts of one mount namespace, and what is known about it. */
export interface MountView {
  /** Text of `/proc/PID/mountinfo`. */
  readonly mountinfo: string;
  /** The file system id of `/` there: the host's, or the container's own. */
  readonly filesystemId: string;
  /** It is a container: its disks are not the host's folders of the same name. */
  readonly container?: boolean;
  /** For memory file systems. Without it they get the device id. */
  readonly bootId?: string;
  /** The namespace around this one, if readable. It gives the origin of bind mounts. */
  readonly outer?: MountView | undefined;
  /** Without `outer`: the host's id. Bind mounts are then taken to come from the host's folder of the same path. */
  readonly hostFilesystemId?: string;
}

/** Finds the canonical place of mounts (SSOT 5.4). */
export class MountPlaces {
  readonly mounts: readonly MountEntry[];
  readonly #view: MountView;
  readonly #outer: MountPlaces | undefined;
  /** The best mount of each folder that is mounted, by device and folder. */
  readonly #byRoot = new Map<string, MountEntry>();

  constructor(view: MountView) {
    this.#view = view;
    this.#outer = view.outer === undefined ? undefined : new MountPlaces(view.outer);
    this.mounts = visibleMounts(parseMountinfo(view.mountinfo)).map(withShareAsRoot);
    for (const mount of this.mounts) {
      const key = `${mount.device} ${mount.root}`;
      const other = this.#byRoot.get(key);
      if (other === undefined || isBetter(mount, other)) this.#byRoot.set(key, mount);
    }
  }

  /** Where the root folder of a mount of this namespace is. */
  placeOf(mount: MountEntry): Place {
    const { filesystemId, hostFilesystemId, container = false } = this.#view;
    const here = { filesystemId, path: mount.mountPoint };
    const kind = mountKind(mount);
    const isRoot = mount.mountPoint === "/";
    if (kind === "pseudo" || (isRoot && container)) return here;
    if (isDeleted(mount)) return this.#ownPlace(mount);
    const outside = this.#outer?.locate(mount);
    if (outside !== undefined) return outside;
    const alone = this.#outer === undefined;
    if (isRoot && alone && kind !== "memory") return here;
    if (kind === "network") return this.#onNetwork(mount);
    if (kind === "memory" && container && mount.root === "/") {
      return { ...here, filesystemId: tmpfsFilesystemId({ containerFilesystemId: filesystemId }) };
    }
    if (kind !== "disk") return this.#ownPlace(mount);
    if (alone && !container) return this.#onHost(mount);
    if (hostFilesystemId === undefined) return this.#ownPlace(mount);
    return { filesystemId: hostFilesystemId, path: mount.root };
  }

  /** The place of a folder of a file system, if it is mounted here, too. */
  locate({ device, root }: Pick<MountEntry, "device" | "root">): Place | undefined {
    const home = this.#homeOf(device, root);
    return home === undefined ? undefined : this.#inside(home, root);
  }

  /** A disk of the host: its own mount keeps its path, a bind mount gets the path of what it shows. */
  #onHost(mount: MountEntry): Place {
    const home = this.#homeOf(mount.device, mount.root);
    if (home !== undefined && home !== mount) return this.#inside(home, mount.root);
    // Where nothing shows the whole file system, the best guess is that it is the one of `/` on the host.
    const path = isWhole(mount) ? mount.mountPoint : mount.root;
    return { filesystemId: this.#view.filesystemId, path };
  }

  /** Below the export: that of the mount that shows most of it, so that bind mounts of its folders agree with it. */
  #onNetwork(mount: MountEntry): Place {
    const home = this.#homeOf(mount.device, mount.root) ?? mount;
    const path = isNfs(home) ? joined("/", below(mount.root, home.root) ?? "") : folderOf(mount);
    return { filesystemId: networkFilesystemId(home.type, home.source), path };
  }

  #inside(home: MountEntry, folder: string): Place {
    const { filesystemId, path } = this.placeOf(home);
    return { filesystemId, path: joined(path, below(folder, home.root) ?? "") };
  }

  /** A space of its own; paths are those in that file system, so that two mounts of it agree. */
  #ownPlace(mount: MountEntry): Place {
    const { filesystemId: owner, bootId } = this.#view;
    const { device, type } = mount;
    if (mountKind(mount) === "memory" && bootId !== undefined) {
      return { filesystemId: tmpfsFilesystemId({ bootId, device }), path: folderOf(mount) };
    }
    const upper = mount.options.get("upperdir");
    // The number of an overlay changes with each mount, its upper folder is what stays.
    const facts = upper === undefined ? { source: mount.source, device } : { source: upper };
    return { filesystemId: deviceFilesystemId({ owner, type, ...facts }), path: folderOf(mount) };
  }

  /**
   * The mount that names a folder of a file system best: the nearest one of a whole file system or subvolume, else the
   * one that shows most. So every process comes to the same.
   */
  #homeOf(device: string, folder: string): MountEntry | undefined {
    let home: MountEntry | undefined;
    for (let root: string | undefined = folder; root !== undefined; root = parentOf(root)) {
      const mount = this.#byRoot.get(`${device} ${root}`);
      if (mount === undefined) continue;
      if (isWhole(mount)) return mount;
      home = mount;
    }
    return home;
  }
}

/**
 * The preferred one of two mounts of one folder: the mount of the whole subvolume, then the one with the shortest mount
 * point.
 */
function isBetter(one: MountEntry, other: MountEntry): boolean {
  if (isWhole(one) !== isWhole(other)) return isWhole(one);
  const [depth, otherDepth] = [depthOf(one), depthOf(other)];
  return depth === otherDepth ? one.mountPoint < other.mountPoint : depth < otherDepth;
}

function isNfs({ type }: MountEntry): boolean {
  return type === "nfs" || type === "nfs4";
}

/** NFS writes `/` as root of every mount, and the mounted folder into the source: `server:/export/folder`. */
function withShareAsRoot(mount: MountEntry): MountEntry {
  const share = mount.source.indexOf(":/");
  return isNfs(mount) && share >= 0 ? { ...mount, root: normalPath(mount.source.slice(share + 1)) } : mount;
}

function isWhole({ root, options }: MountEntry): boolean {
  return root === "/" || root === options.get("subvol");
}

/** The mounted folder is gone from its file system, and its path with it. */
function isDeleted({ root }: MountEntry): boolean {
  return root.endsWith("//deleted");
}

/** The mounted folder as its file system names it. */
function folderOf(mount: MountEntry): string {
  return mount.root.startsWith("/") && !isDeleted(mount) ? mount.root : mount.mountPoint;
}

function depthOf({ mountPoint }: MountEntry): number {
  return mountPoint === "/" ? 0 : mountPoint.split("/").length;
}
