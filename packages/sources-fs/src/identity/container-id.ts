import { parseMountinfo } from "../mounts/mountinfo.ts";

const engineId = /^[0-9a-f]{64}$/;

/** Names that engines put before the id of a unit: docker-, cri-containerd-, crio-, libpod-. */
const unit = /^(?:([a-z-]+)-)?([0-9a-f]{64})(?:\.scope)?$/;

/** Tasks of ECS: 32 digits of the task, then the container's number. */
const task = /^[0-9a-f]{32}-\d{1,20}$/;

/**
 * The container's id from `/proc/PID/cgroup`, versions 1 and 2, as docker, containerd, podman and cri-o write it. In a
 * container within a container it is the inner one's. Undefined: no container, or a cgroup namespace hides it (`0::/`).
 */
export function containerIdFromCgroup(text: string): string | undefined {
  for (const line of text.split("\n")) {
    const path = line.split(":").slice(2).join(":");
    for (const part of path.split("/").reverse()) {
      // `conmon` only watches over the container.
      const [, engine = "", id] = unit.exec(part.slice(part.lastIndexOf(":") + 1)) ?? [];
      if (id !== undefined && !engine.endsWith("conmon")) return id;
      if (task.test(part)) return part;
    }
  }
  return undefined;
}

/** `id="..."` from `/run/.containerenv`, which podman writes for containers of root. */
export function containerIdFromContainerenv(text: string): string | undefined {
  const id = /^id="([^"\n]*)"$/m.exec(text)?.[1];
  return id !== undefined && engineId.test(id) ? id : undefined;
}

/**
 * The container's id from its `/proc/self/mountinfo`: engines mount files from a folder that has it in its name.
 * Kubernetes gives the path of the pod and container instead, since the folder with an id is the whole pod's.
 */
export function containerIdFromMountinfo(text: string): string | undefined {
  const mounts = parseMountinfo(text);
  for (const { root } of mounts) {
    const pod = /\/pods\/([0-9a-f-]{36}\/containers\/[^/]+\/[0-9a-f]+)$/.exec(root)?.[1];
    if (pod !== undefined) return pod;
  }
  // Podman mounts the first one for the container itself; the others may be those of its pod.
  for (const file of ["/run/.containerenv", "/etc/hostname", "/etc/hosts", "/etc/resolv.conf"]) {
    for (const { root } of mounts.filter(({ mountPoint }) => mountPoint === file)) {
      const id = /\/(?:[a-z]+-)?containers\/(?:[^/]+\/)?([0-9a-f]{64})\//.exec(root)?.[1];
      if (id !== undefined) return id;
    }
  }
  return undefined;
}
