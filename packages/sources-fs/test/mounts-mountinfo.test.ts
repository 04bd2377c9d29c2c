// Verifies: SSOT 5.2, 5.3, 5.4: mappings from /proc/PID/mountinfo, one fixture for each kind of mount.
import { readFileSync } from "node:fs";
import {
  deviceFilesystemId,
  type MountView,
  mappingsFromMountinfo,
  mountTable,
  networkFilesystemId,
  tmpfsFilesystemId,
} from "@cm/sources-fs";
import { describe, expect, it } from "vitest";

const fixture = (name: string): string => readFileSync(new URL(`fixtures/mounts/${name}`, import.meta.url), "utf8");

const bootId = "0b6e3a52-9d1c-4f7e-8a2b-5c4d3e2f1a0b";
const hostView: MountView = { mountinfo: fixture("host.mountinfo"), filesystemId: "host", bootId };
const dockerView: MountView = {
  mountinfo: fixture("container-docker.mountinfo"),
  filesystemId: "container",
  container: true,
  bootId,
};
const exported = networkFilesystemId("nfs4", "nas.example.org:/export/projects");
const shared = tmpfsFilesystemId({ bootId, device: "0:26" });

/** `id path` of each of the agent's paths. */
function places({ mountinfo, ...options }: MountView, ...paths: readonly string[]): readonly string[] {
  const mappings = mappingsFromMountinfo(mountinfo, options);
  const { toCanonical, toAgent } = mountTable({ mappings, defaultFilesystemId: options.filesystemId });
  return paths.map((agentPath) => {
    const place = toCanonical(agentPath);
    // Some other path may lead there, too, but it must lead there.
    const back = toAgent(place);
    expect(back && toCanonical(back)).toMatchObject({ filesystemId: place.filesystemId, path: place.path });
    return `${place.filesystemId} ${place.path}`;
  });
}

describe("the mounts of a host", () => {
  it("give its own disks no mapping, and one to what is mounted elsewhere, too", () => {
    expect(places(hostView, "/etc/hosts", "/data/x", "/home/ada/data/x", "/var/www old/x", "/proc/1/maps")).toEqual([
      "host /etc/hosts",
      "host /data/x",
      "host /data/ada/x",
      "host /srv/www/x",
      "host /proc/1/maps",
    ]);
    expect(mappingsFromMountinfo(hostView.mountinfo, hostView).map(({ agentPrefix }) => agentPrefix)).toEqual([
      "/run",
      "/dev/shm",
      "/mnt/nas",
      "/mnt/share",
      "/var/www old",
      "/home/ada/data",
      "/home/ada/remote",
      "/home/ada/nas-tools",
    ]);
  });

  it("give network mounts the id of server and export, and paths below it", () => {
    const share = networkFilesystemId("cifs", "//files.example.org/team");
    const remote = networkFilesystemId("fuse.sshfs", "build.example.org:/home/ada/src");

    expect(
      places(hostView, "/mnt/nas/a", "/home/ada/nas-tools/a", "/mnt/share/a", "/home/ada/remote/a", "/home/ada/a"),
    ).toEqual([`${exported} /a`, `${exported} /tools/a`, `${share} /a`, `${remote} /a`, "host /home/ada/a"]);
  });

  it("give a memory file system the id of the boot and its number", () => {
    const run = tmpfsFilesystemId({ bootId, device: "0:24" });

    expect(places(hostView, "/run/x", "/dev/shm/x", "/dev/null")).toEqual([
      `${run} /x`,
      `${shared} /x`,
      "host /dev/null",
    ]);
    expect(new Set([run, shared, tmpfsFilesystemId({ bootId: "next", device: "0:24" })]).size).toBe(3);
  });

  it("name subvolumes by their own mounts, also where everything is mounted in another place", () => {
    const view = { mountinfo: fixture("subvolumes.mountinfo"), filesystemId: "host" };

    expect(places(view, "/etc/x", "/home/ada/x", "/workspace/x", "/mnt/everything/@old/x")).toEqual([
      "host /etc/x",
      "host /home/ada/x",
      "host /home/ada/project/x",
      "host /mnt/everything/@old/x",
    ]);
  });
});

describe("the mounts of a container", () => {
  it("carry the host's id and path where the host's mounts are known", () => {
    const view = { ...dockerView, outer: hostView };

    expect(
      places(view, "/etc/passwd", "/workspace/a", "/workspace/node_modules/a", "/data/a", "/nas/a", "/shared-memory/a"),
    ).toEqual([
      "container /etc/passwd",
      "host /home/ada/my project/a",
      "host /var/lib/docker/volumes/modules/_data/a",
      "host /data/ada/a",
      `${exported} /web/a`,
      `${shared} /agent/a`,
    ]);
  });

  it("take the host's path from the root field where only the host's id is known", () => {
    const view = { ...dockerView, hostFilesystemId: "host" };

    expect(places(view, "/workspace/a", "/workspace/node_modules/a", "/shared-memory/a")).toEqual([
      "host /home/ada/my project/a",
      "host /var/lib/docker/volumes/modules/_data/a",
      `${shared} /agent/a`,
    ]);
  });

  it("have the device id where nothing of the host is known, the same for all mounts of one disk", () => {
    const disk = deviceFilesystemId({ owner: "container", type: "ext4", source: "/dev/nvme0n1p2", device: "259:2" });

    expect(places(dockerView, "/workspace/a", "/workspace/node_modules/a")).toEqual([
      `${disk} /home/ada/my project/a`,
      `${disk} /var/lib/docker/volumes/modules/_data/a`,
    ]);
  });

  it("give its own memory file systems the container's id", () => {
    expect(places(dockerView, "/scratch/a", "/dev/shm/a", "/proc/kcore", "/sys/firmware/a")).toEqual([
      "container /scratch/a",
      "container /dev/shm/a",
      "container /proc/kcore",
      "container /sys/firmware/a",
    ]);
  });

  it("are understood for podman without root, whose home is a subvolume", () => {
    const view = { mountinfo: fixture("container-podman-rootless.mountinfo"), filesystemId: "c", container: true };
    const line = "60 28 253:1 /home /home rw shared:1 - btrfs /dev/mapper/home rw,subvolid=256,subvol=/home";
    const outer = {
      mountinfo: `28 1 253:0 / / rw shared:1 - xfs /dev/mapper/root rw\n${line}\n`,
      filesystemId: "host",
    };

    expect(places({ ...view, outer }, "/workspace/a", "/cache/a", "/usr/a")).toEqual([
      "host /home/ada/project/a",
      "host /home/ada/.local/share/containers/storage/volumes/cache/_data/a",
      "c /usr/a",
    ]);
  });

  it("are understood for a pod of Kubernetes", () => {
    const view = { mountinfo: fixture("container-pod.mountinfo"), filesystemId: "c", container: true };

    expect(
      places({ ...view, hostFilesystemId: "node" }, "/scratch/a", "/claims/projects/a", "/run/secrets/kubernetes.io/x"),
    ).toEqual([
      "node /var/lib/kubelet/pods/0d9f3c1e-7a52-4b7e-9a35-1f0c2d3e4f5a/volumes/kubernetes.io~empty-dir/scratch/a",
      `${exported} /a`,
      "c /run/secrets/kubernetes.io/x",
    ]);
  });

  it("are understood for a container in a container, in which folders of both others are mounted", () => {
    const view = { mountinfo: fixture("container-in-container.mountinfo"), filesystemId: "inner", container: true };
    const outer = { ...dockerView, outer: hostView };

    expect(places({ ...view, outer }, "/src/a", "/packages/a", "/etc/passwd")).toEqual([
      "container /repository/a",
      "host /home/ada/my project/packages/a",
      "inner /etc/passwd",
    ]);
  });

  it("give a private overlay an id of its upper folder, not of its changing number", () => {
    const { mountinfo } = dockerView;
    const overlay = "60 1021 0:99 / /built rw - overlay overlay rw,lowerdir=/l,upperdir=/u/diff,workdir=/u/work";
    const again = overlay.replace("0:99", "0:142");
    const [first] = places({ ...dockerView, mountinfo: `${mountinfo}${overlay}\n` }, "/built/a");

    expect(places({ ...dockerView, mountinfo: `${mountinfo}${again}\n` }, "/built/a")).toEqual([first]);
    expect(first).toMatch(/^[0-9a-f]{64} \/a$/);
  });
});

describe("the mounts of a process with a root of its own on a host", () => {
  it("map the root, too, where it is a folder of the host", () => {
    const view = { mountinfo: fixture("root-bind.mountinfo"), filesystemId: "host", outer: hostView };

    expect(places(view, "/etc/hosts", "/", "/host/etc/hosts")).toEqual([
      "host /srv/jail/etc/hosts",
      "host /srv/jail",
      "host /etc/hosts",
    ]);
  });

  it.each([
    ["with", { outer: hostView }],
    ["without", {}],
  ])("find the host's folders of a bubblewrap sandbox %s the host's mounts", (_, known) => {
    const view = { mountinfo: fixture("bubblewrap.mountinfo"), filesystemId: "host", bootId, ...known };
    const root = tmpfsFilesystemId({ bootId, device: "0:95" });
    const temporary = tmpfsFilesystemId({ bootId, device: "0:96" });

    expect(places(view, "/usr/bin/x", "/sandbox/project/a", "/sandbox/a", "/tmp/a", "/proc/1/maps")).toEqual([
      "host /usr/bin/x",
      "host /home/ada/project/a",
      `${root} /newroot/sandbox/a`,
      `${temporary} /a`,
      "host /proc/1/maps",
    ]);
  });
});
