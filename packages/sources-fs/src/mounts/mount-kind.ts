import type { MountEntry } from "./mountinfo.ts";

/** The kind of a mount: `disk` is every permanent one of the machine or container. */
export type MountKind = "network" | "memory" | "overlay" | "pseudo" | "disk";

const network = new Set([
  ...["nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "glusterfs", "afs", "afpfs", "davfs", "webdav", "lustre"],
  ...["fuse.sshfs", "sshfs", "fuse.glusterfs", "fuse.davfs", "fuse.ceph", "fuse.rclone", "fuse.s3fs"],
]);

const overlay = new Set(["overlay", "overlayfs", "aufs", "fuse.fuse-overlayfs", "fuse.unionfs", "fuse.mergerfs"]);

/** Views of the kernel and of programs, without files of users. */
const pseudo = new Set([
  ...["proc", "sysfs", "cgroup", "cgroup2", "devtmpfs", "devpts", "mqueue", "debugfs", "tracefs", "securityfs"],
  ...["pstore", "bpf", "configfs", "fusectl", "hugetlbfs", "binfmt_misc", "nsfs", "autofs", "rpc_pipefs", "efivarfs"],
  ...["selinuxfs", "nfsd", "fuse.lxcfs", "fuse.gvfsd-fuse", "fuse.portal"],
]);

export function mountKind({ type, mountPoint = "" }: Pick<MountEntry, "type"> & Partial<MountEntry>): MountKind {
  // Engines hide parts of these folders behind empty memory file systems.
  if (/^\/(?:proc|sys)(?:\/|$)/.test(mountPoint)) return "pseudo";
  if (network.has(type)) return "network";
  if (type === "tmpfs" || type === "ramfs") return "memory";
  if (overlay.has(type)) return "overlay";
  return pseudo.has(type) ? "pseudo" : "disk";
}
