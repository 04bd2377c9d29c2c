import { mountKind } from "../mounts/mount-kind.ts";
import { parseMountinfo, visibleMounts } from "../mounts/mountinfo.ts";
import { containerIdFromCgroup, containerIdFromContainerenv, containerIdFromMountinfo } from "./container-id.ts";
import type { SystemFacts } from "./machine-id.ts";

/** Traces of engines in their containers. */
const marks = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"];

export interface DetectedContainer {
  readonly id: string | undefined;
  /** Where the id was found, for people. */
  readonly from: string;
}

/**
 * The container that this process is in; undefined: none. An id proves it. A mark alone does not: machines are made of
 * images of containers, too, and then have a disk of their own as `/`.
 *
 * @throws CmError `source/limit`
 */
export function detectContainer(facts: SystemFacts, mountinfo: string): DetectedContainer | undefined {
  const readers = [
    ["/proc/self/cgroup", containerIdFromCgroup],
    ["/run/.containerenv", containerIdFromContainerenv],
  ] as const;
  for (const [from, read] of readers) {
    const id = read(facts.readFile(from) ?? "");
    if (id !== undefined) return { id, from };
  }
  const id = containerIdFromMountinfo(mountinfo);
  if (id !== undefined) return { id, from: "/proc/self/mountinfo" };
  const marked = marks.some((path) => facts.readFile(path) !== undefined);
  return marked && !hasOwnDisk(mountinfo) ? { id: undefined, from: "" } : undefined;
}

function hasOwnDisk(mountinfo: string): boolean {
  const root = visibleMounts(parseMountinfo(mountinfo)).find(({ mountPoint }) => mountPoint === "/");
  return root !== undefined && mountKind(root) === "disk" && root.root === "/";
}
