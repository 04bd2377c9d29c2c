import { CmError } from "@cm/object-model";
import { limits } from "../limits.ts";

/** One line of `/proc/PID/mountinfo` (proc_pid_mountinfo(5)). */
export interface MountEntry {
  readonly id: number;
  readonly parent: number;
  /**
   * `major:minor`, as `st_dev` of the files has it, too. Major 0: no disk, the minor is dealt out anew at each boot.
   */
  readonly device: string;
  /** The folder of the file system that is mounted: not `/` for bind mounts of a folder and for subvolumes. */
  readonly root: string;
  /** Seen from the root of the process. */
  readonly mountPoint: string;
  /** `ext4`, `overlay`, `nfs4`, `fuse.sshfs` ... */
  readonly type: string;
  /** A device, `server:/export`, or any word. */
  readonly source: string;
  /** Options of the file system, such as `upperdir`; without those of the mount. */
  readonly options: ReadonlyMap<string, string>;
}

/**
 * The mounts of a text of this form, in its order. Lines of another form are left out.
 *
 * @throws CmError `source/limit`
 */
export function parseMountinfo(text: string): readonly MountEntry[] {
  if (text.length > limits.factsCharsMax) throw exceedsLimit("factsCharsMax", text.length, limits.factsCharsMax);
  const entries: MountEntry[] = [];
  for (const line of text.split("\n")) {
    const entry = parseLine(line);
    if (entry === undefined) continue;
    if (entries.length === limits.mountsMax) throw exceedsLimit("mountsMax", entries.length + 1, limits.mountsMax);
    entries.push(entry);
  }
  return entries;
}

function exceedsLimit(limit: string, actual: number, bound: number): CmError {
  return new CmError("source/limit", `This mountinfo is beyond ${limit}. Describe the mounts by configuration.`, {
    limit,
    actual,
    bound,
  });
}

function parseLine(line: string): MountEntry | undefined {
  // The source may be empty, so that only single spaces part fields. Optional fields end with a lone hyphen.
  const fields = line.trimStart().split(" ");
  const end = fields.indexOf("-", 6);
  const [id, parent, device, root, mountPoint] = fields;
  const type = fields[end + 1];
  if (end < 0 || !/^\d+$/.test(id ?? "") || !/^\d+:\d+$/.test(device ?? "")) return undefined;
  if (root === undefined || !mountPoint?.startsWith("/") || type === undefined || type === "") return undefined;
  return {
    id: Number(id),
    parent: Number(parent),
    device: device ?? "",
    root: unescaped(root),
    mountPoint: unescaped(mountPoint),
    type: unescaped(type),
    source: unescaped(fields[end + 2] ?? ""),
    options: parseOptions(fields[end + 3] ?? ""),
  };
}

/** The kernel writes space, tab, line break and backslash as three octal digits, and other bytes as they are. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

function parseOptions(field: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const option of field.split(",")) {
    const equals = option.indexOf("=");
    if (equals < 0) options.set(option, "");
    else options.set(option.slice(0, equals), unescaped(option.slice(equals + 1)));
  }
  return options;
}

/**
 * The mounts that a path can lead to, as the kernel walks: the last one on a mount point counts, and what lies below a
 * folder that was mounted over is hidden.
 */
export function visibleMounts(entries: readonly MountEntry[]): readonly MountEntry[] {
  const root = rootOf(entries);
  if (root === undefined) return lastOfEach(entries);
  const children = new Map<string, MountEntry>();
  for (const entry of entries) if (entry !== root) children.set(`${entry.parent} ${entry.mountPoint}`, entry);
  const top = topMount(root, children);
  return entries.filter((entry) => walk(entry.mountPoint, top, children) === entry);
}

/** The mount on `/` whose parent is not in the list. */
function rootOf(entries: readonly MountEntry[]): MountEntry | undefined {
  const ids = new Set(entries.map(({ id }) => id));
  const roots = entries.filter(({ mountPoint }) => mountPoint === "/");
  return roots.find(({ id, parent }) => id === parent || !ids.has(parent)) ?? roots[0];
}

/** A process whose root is an ordinary folder sees no mount on `/`, and parents are missing. */
function lastOfEach(entries: readonly MountEntry[]): readonly MountEntry[] {
  return [...new Map(entries.map((entry) => [entry.mountPoint, entry])).values()];
}

function walk(path: string, top: MountEntry, children: ReadonlyMap<string, MountEntry>): MountEntry {
  let mount = top;
  for (let slash = path.indexOf("/", 1); path !== "/"; slash = path.indexOf("/", slash + 1)) {
    const folder = slash < 0 ? path : path.slice(0, slash);
    const child = children.get(`${mount.id} ${folder}`);
    if (child !== undefined) mount = topMount(child, children);
    if (slash < 0) break;
  }
  return mount;
}

/** Mounts on the same mount point lie on each other. */
function topMount(mount: MountEntry, children: ReadonlyMap<string, MountEntry>): MountEntry {
  const seen = new Set<MountEntry>();
  let top = mount;
  for (;;) {
    const next = children.get(`${top.id} ${top.mountPoint}`);
    if (next === undefined || next === top || seen.has(next)) return top;
    seen.add(top);
    top = next;
  }
}
