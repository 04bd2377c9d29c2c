// @module-tag process
// Verifies: SSOT 5.2, 5.4: a client detects where it runs from stable facts, equal in two processes.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  type ClientEnvironment,
  containerFilesystemId,
  detectEnvironment,
  hostFilesystemId,
  networkFilesystemId,
} from "@cm/sources-fs";
import { describe, expect, it } from "vitest";

const fixture = (path: string): string => readFileSync(new URL(`fixtures/${path}`, import.meta.url), "utf8");

const machineId = "3d1219c7c4c5404aaa1f6d2a48adfda4";

/** Detects a machine of Linux that has these files and no others. */
function onLinux(files: Readonly<Record<string, string>>, rest: { hostFilesystemId?: string } = {}): ClientEnvironment {
  return detectEnvironment({
    platform: "linux",
    hostname: "box",
    run: () => undefined,
    readFile: (path) => (Object.hasOwn(files, path) ? files[path] : undefined),
    ...rest,
  });
}

/** Detects a machine of another platform by what its commands print. */
function byCommands(platform: NodeJS.Platform, outputs: Readonly<Record<string, string>>): ClientEnvironment {
  const run = (command: string): string | undefined => outputs[command];
  return detectEnvironment({ platform, hostname: "box", readFile: () => undefined, run });
}

const host = { "/etc/machine-id": `${machineId}\n`, "/proc/self/mountinfo": fixture("mounts/host.mountinfo") };

describe("a client on a host", () => {
  it("has the id of the machine, and mappings of what is not the machine's", () => {
    const { filesystemId, mappings, findings } = onLinux({ ...host, "/proc/self/cgroup": "0::/\n" });

    expect(filesystemId).toBe(hostFilesystemId(machineId));
    expect(mappings).toContainEqual({
      agentPrefix: "/mnt/nas",
      canonicalPrefix: "/",
      filesystemId: networkFilesystemId("nfs4", "nas.example.org:/export/projects"),
    });
    expect(findings).toContain("The machine id is from /etc/machine-id.");
  });

  it.each(["", "\n", "uninitialized\n", "00000000000000000000000000000000\n"])(
    "takes the second machine id where the first one is %j",
    (first) => {
      const { filesystemId } = onLinux({ "/etc/machine-id": first, "/var/lib/dbus/machine-id": machineId });

      expect(filesystemId).toBe(hostFilesystemId(machineId));
    },
  );

  it("has an id of its name where there is no machine id, and says so", () => {
    const [one, same] = [onLinux({}), onLinux({})];

    expect(one).toEqual(same);
    expect(one.filesystemId).toMatch(/^[0-9a-f]{64}$/);
    expect(one.findings.join(" ")).toContain("no machine id");
    expect(one.findings.join(" ")).toContain("list of mounts cannot be read");
  });

  it("is a host, too, on a machine with a disk that was made of a container's image", () => {
    expect(onLinux({ ...host, "/.dockerenv": "" })).toEqual(onLinux(host));
  });

  it("asks the first process for the host's mounts when it has others", () => {
    const { mappings } = onLinux({
      ...host,
      "/proc/1/mountinfo": host["/proc/self/mountinfo"],
      "/proc/self/mountinfo": fixture("mounts/root-bind.mountinfo"),
    });

    expect(mappings[0]).toEqual({
      agentPrefix: "/",
      canonicalPrefix: "/srv/jail",
      filesystemId: hostFilesystemId(machineId),
    });
  });

  it("tells that it cannot understand an endless list of mounts", () => {
    const endless = "28 1 259:2 / /a rw - ext4 /dev/a rw\n".repeat(20_001);
    const { filesystemId, mappings, findings } = onLinux({ ...host, "/proc/self/mountinfo": endless });

    expect([filesystemId, mappings]).toEqual([hostFilesystemId(machineId), []]);
    expect(findings.join(" ")).toContain("beyond the limits");
  });
});

describe("a client in a container", () => {
  const files = { "/proc/self/mountinfo": fixture("mounts/container-docker.mountinfo"), "/etc/machine-id": machineId };
  const id = "6f1c9c04d1c1e0f6a84c1a7a3ab0c2f4a7be95c1d3f86f2b4a7e90d2c5b81e37";

  it.each([
    ["a cgroup", { "/proc/self/cgroup": fixture("identity/cgroup-v2-docker.txt") }],
    ["/run/.containerenv", { "/run/.containerenv": `engine="podman-5.0.0"\nid="${id}"\nname="agent"\n` }],
    ["its mounts", { "/proc/self/cgroup": "0::/\n" }],
  ])("has the id of the container, found in %s", (_, more) => {
    expect(onLinux({ ...files, ...more }).filesystemId).toBe(containerFilesystemId(id));
  });

  it("has its machine id where the container's id is hidden", () => {
    const mountinfo = files["/proc/self/mountinfo"].replaceAll(id, "hidden");
    const { filesystemId, findings } = onLinux({
      ...files,
      "/proc/self/mountinfo": mountinfo,
      "/.dockerenv": "",
    });

    expect(filesystemId).toBe(containerFilesystemId(machineId));
    expect(findings.join(" ")).toContain("its machine id stands in for it");
  });

  it("gives bind mounts the host's id where it is told, else an id of the device", () => {
    const find = (environment: ClientEnvironment) =>
      environment.mappings.find(({ agentPrefix }) => agentPrefix === "/workspace");

    const told = find(onLinux(files, { hostFilesystemId: "host" }));
    const guessed = find(onLinux(files));

    expect(told).toMatchObject({ canonicalPrefix: "/home/ada/my project", filesystemId: "host" });
    expect(guessed?.filesystemId).toMatch(/^[0-9a-f]{64}$/);
    expect(guessed).toEqual(find(onLinux(files)));
  });
});

describe("a client in a mount namespace of a container", () => {
  const id = "6f1c9c04d1c1e0f6a84c1a7a3ab0c2f4a7be95c1d3f86f2b4a7e90d2c5b81e37";
  const first = fixture("mounts/container-docker.mountinfo");
  const bind = "2001 1021 0:61 /srv/code /code rw - overlay overlay rw,lowerdir=/l,upperdir=/u/diff,workdir=/u/work\n";

  it("finds the container's folders through the container's first process", () => {
    const { mappings } = onLinux({ "/proc/self/mountinfo": first + bind, "/proc/1/mountinfo": first });

    expect(mappings).toContainEqual({
      agentPrefix: "/code",
      canonicalPrefix: "/srv/code",
      filesystemId: containerFilesystemId(id),
    });
  });

  it("does not take the host's first process for the container's", () => {
    const files = { "/proc/self/mountinfo": first + bind };

    expect(onLinux({ ...files, "/proc/1/mountinfo": host["/proc/self/mountinfo"] })).toEqual(onLinux(files));
  });
});

describe("a client on another platform", () => {
  it("has the platform's UUID on macOS, and the ids of network mounts", () => {
    const { filesystemId, mappings } = byCommands("darwin", {
      "/usr/sbin/ioreg": fixture("identity/ioreg.txt"),
      "/sbin/mount": fixture("mounts/mount-macos.txt"),
    });

    expect(filesystemId).toBe(hostFilesystemId("A8C6F7E2-3B5D-5C1A-9E4F-0D2B7A6C8E91"));
    expect(mappings).toEqual([
      {
        agentPrefix: "/Volumes/Team Files",
        canonicalPrefix: "/",
        filesystemId: networkFilesystemId("cifs", "//files._smb._tcp.local/team files"),
      },
      {
        agentPrefix: "/Volumes/projects",
        canonicalPrefix: "/",
        filesystemId: networkFilesystemId("nfs4", "nas.example.org:/export/projects"),
      },
    ]);
  });

  it("has the machine's GUID on Windows", () => {
    const { filesystemId, mappings } = byCommands("win32", { reg: fixture("identity/reg-query.txt") });

    expect(filesystemId).toBe(hostFilesystemId("4c4c4544-0035-4d10-8052-b8c04f4d3733"));
    expect(mappings).toEqual([]);
  });

  it.each<NodeJS.Platform>(["darwin", "win32"])("has an id of its name where %s says nothing", (platform) => {
    const { filesystemId, findings } = byCommands(platform, { reg: "ERROR: cannot find the key" });

    expect(filesystemId).toBe(byCommands(platform, {}).filesystemId);
    expect(findings.join(" ")).toContain("no machine id");
  });
});

describe("detection on this machine", () => {
  it("gives the same in two processes", () => {
    const script = `import { detectEnvironment } from "@cm/sources-fs";
      process.stdout.write(JSON.stringify(detectEnvironment()));`;
    const args = ["--input-type=module", "--eval", script];

    const other: unknown = JSON.parse(
      execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" }),
    );

    expect(other).toEqual(detectEnvironment());
  });
});
