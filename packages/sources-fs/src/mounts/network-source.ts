/** Server and share as mounts name them, in one spelling: `["smb", "nas.example", "/projects"]`. */
export function networkSource(type: string, source: string): readonly string[] {
  const kind = protocolOf(type);
  const { user, server, share } = partsOf(source.trim().replaceAll("\\", "/"), kind);
  const path = normalShare(share);
  // A relative path of SSH is below the home folder, which differs between users.
  const home = kind === "ssh" && !path.startsWith("/") ? `~${user}/` : "";
  return [kind, serversOf(server, kind), kind === "smb" ? path.toLowerCase() : home + path];
}

const protocols: Readonly<Record<string, string>> = {
  nfs: "nfs",
  nfs4: "nfs",
  cifs: "smb",
  smb3: "smb",
  smbfs: "smb",
  sshfs: "ssh",
  "fuse.sshfs": "ssh",
  glusterfs: "glusterfs",
  "fuse.glusterfs": "glusterfs",
  davfs: "dav",
  webdav: "dav",
  "fuse.davfs": "dav",
};

function protocolOf(type: string): string {
  return protocols[type] ?? type.replace(/^fuse\./, "");
}

const defaultPorts: Readonly<Record<string, readonly string[]>> = {
  nfs: ["2049"],
  smb: ["445", "139"],
  ssh: ["22"],
  dav: ["80", "443"],
};

/** `scheme://user@server/share`, `//user@server/share`, `user@server:/share`. */
function partsOf(source: string, kind: string): { user: string; server: string; share: string } {
  const slashes = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/]*)(.*)$/i.exec(source);
  if (slashes !== null) return { ...authorityOf(slashes[1] ?? ""), share: slashes[2] ?? "" };
  const colon = shareColon(source, kind);
  if (colon < 0) return { user: "", server: "", share: source };
  return { ...authorityOf(source.slice(0, colon)), share: source.slice(colon + 1) };
}

/** The colon before the share: after the bracket of an IPv6 address, and for several servers the last one. */
function shareColon(source: string, kind: string): number {
  const absolute = source.indexOf(":/");
  if (absolute >= 0) return absolute;
  return kind === "ssh" ? source.indexOf(":", source.indexOf("]") + 1) : source.lastIndexOf(":");
}

function authorityOf(authority: string): { user: string; server: string } {
  const at = authority.lastIndexOf("@");
  // The user of smb may come as `DOMAIN;user:password`; only the name is used, and only for ssh.
  const user = authority.slice(0, Math.max(at, 0)).split(":")[0] ?? "";
  return { user, server: authority.slice(at + 1) };
}

/** Names of servers have no case and may end in a dot. Several ones (ceph) count as a set. */
function serversOf(servers: string, kind: string): string {
  const ports = defaultPorts[kind] ?? [];
  return servers
    .toLowerCase()
    .split(",")
    .map((server) => {
      const [, name = server, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(server) ?? [];
      const bare = name.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
      return port === undefined || ports.includes(port) ? bare : `${bare} ${port}`;
    })
    .sort()
    .join(",");
}

function normalShare(share: string): string {
  const short = share.replace(/\/{2,}/g, "/");
  return short.length > 1 ? short.replace(/\/$/, "") : short;
}
