// Verifies: SSOT 5.3, 5.4: mappings from container-inspect JSON of docker and podman.
import { readFileSync } from "node:fs";
import { containerFilesystemId, type MountMapping, mappingsFromInspect, networkFilesystemId } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`fixtures/mounts/${name}`, import.meta.url), "utf8"));

/** `agentPrefix -> id canonicalPrefix` of each mapping; the container's own id as `own`. */
function lines(inspect: unknown, mappings: readonly MountMapping[] = []): readonly string[] {
  const sandbox = mappingsFromInspect(inspect, { host: { filesystemId: "host", mappings } });
  return sandbox.mappings.map(({ agentPrefix, canonicalPrefix, filesystemId }) => {
    return `${agentPrefix} -> ${filesystemId === sandbox.filesystemId ? "own" : filesystemId} ${canonicalPrefix}`;
  });
}

const id = "6f1c9c04d1c1e0f6a84c1a7a3ab0c2f4a7be95c1d3f86f2b4a7e90d2c5b81e37";

describe("the inspection of a container", () => {
  it("gives binds and named volumes the host's id and path, and memory the container's", () => {
    expect(lines(fixture("inspect-docker.json"))).toEqual([
      "/workspace -> host /home/ada/my project",
      "/workspace/node_modules -> host /var/lib/docker/volumes/modules/_data",
      "/nas -> host /mnt/nas/web",
      "/memory -> own /memory",
      "/scratch -> own /scratch",
    ]);
  });

  it("gives the container's id, and the folder with its root where the driver has one", () => {
    const docker = mappingsFromInspect(fixture("inspect-docker.json"), { host: { filesystemId: "host" } });
    const podman = mappingsFromInspect(fixture("inspect-podman-rootless.json"), { host: { filesystemId: "host" } });

    expect([docker.filesystemId, docker.rootFolder]).toEqual([
      containerFilesystemId(id),
      "/var/lib/docker/overlay2/5b1c2d/merged",
    ]);
    expect(podman).not.toHaveProperty("rootFolder");
  });

  it("finds the canonical place of a folder that is a network mount of the host", () => {
    const filesystemId = networkFilesystemId("nfs4", "nas:/export");
    const mounts = [{ agentPrefix: "/mnt/nas", canonicalPrefix: "/", filesystemId }];

    expect(lines(fixture("inspect-docker.json"), mounts)).toContain(`/nas -> ${filesystemId} /web`);
  });

  it("is understood for podman without root", () => {
    expect(lines(fixture("inspect-podman-rootless.json"))).toEqual([
      "/cache -> host /home/ada/.local/share/containers/storage/volumes/cache/_data",
      "/workspace -> host /home/ada/project",
    ]);
  });

  it("is understood on a Windows desktop, where pipes are left out", () => {
    expect(lines(fixture("inspect-windows.json"))).toEqual([
      "/workspace -> host C:/Users/ada/project",
      "/media -> host D:/media",
      "/tools -> host C:/Users/ada/tools",
    ]);
  });

  it("is understood on a macOS desktop, as the daemon's own answer", () => {
    expect(lines(fixture("inspect-macos.json"))).toEqual(["/workspace -> host /Users/ada/project"]);
  });

  it("falls back to the binds that were asked for", () => {
    const HostConfig = { Binds: ["/srv/a:/a:ro,z", "/srv/b:/b", "named:/c", "nonsense", "C:\\d:/d"] };

    expect(lines({ Id: id, Mounts: null, HostConfig })).toEqual([
      "/a -> host /srv/a",
      "/b -> host /srv/b",
      "/d -> host C:/d",
    ]);
  });

  it.each<[string, unknown, string]>([
    ["is no object", "docker", "(the document)"],
    ["is empty", [], "(the document)"],
    ["has no id", {}, "Id"],
    ["has an id of another form", { Id: "agent" }, "Id"],
    ["has mounts of another form", { Id: id, Mounts: [{ Type: "bind", Destination: 7 }] }, "Mounts.0.Destination"],
    ["has too many mounts", { Id: id, Mounts: Array(5_001).fill({ Destination: "/a" }) }, "Mounts"],
    ["has a bind of 5,000 characters", { Id: id, HostConfig: { Binds: ["x".repeat(5_000)] } }, "HostConfig.Binds.0"],
  ])("is refused by the name of the field where it %s", (_, inspect, field) => {
    expect(() => lines(inspect)).toThrow(
      expect.objectContaining({
        code: "source/invalid-inspect",
        data: { fields: expect.arrayContaining([field]) },
      }),
    );
  });
});
