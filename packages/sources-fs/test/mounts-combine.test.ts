// Verifies: SSOT 5.3: what is known from several places, and device numbers where nothing else is known.

import { combineMappings, deviceFilesystemId, mappingsFromDevices } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";

const to = (filesystemId: string, ...prefixes: readonly string[]) =>
  prefixes.map((agentPrefix) => ({ agentPrefix, canonicalPrefix: `/${filesystemId}`, filesystemId }));

describe("mappings from several places", () => {
  it("are believed in the order configuration, inspection, mountinfo, device number", () => {
    const mappings = combineMappings({
      devices: to("device", "/a", "/b", "/c", "/d"),
      mountinfo: to("mountinfo", "/a", "/b/", "/c"),
      inspect: to("inspect", "/a/.", "/b"),
      configuration: to("configuration", "//a"),
    });

    expect(mappings.map(({ agentPrefix, filesystemId }) => [agentPrefix, filesystemId])).toEqual([
      ["/a", "configuration"],
      ["/b", "inspect"],
      ["/c", "mountinfo"],
      ["/d", "device"],
    ]);
  });

  it("keep a detected mount below a configured one", () => {
    const mappings = combineMappings({ configuration: to("host", "/w"), mountinfo: to("volume", "/w/modules") });

    expect(mappings).toEqual([...to("host", "/w"), ...to("volume", "/w/modules")]);
  });

  it("are refused where one is wrong", () => {
    expect(() => combineMappings({ inspect: to("", "/w") })).toThrow(
      expect.objectContaining({ code: "source/invalid-mapping" }),
    );
  });
});

describe("device numbers", () => {
  const options = { filesystemId: "container", rootDevice: "61" };

  it("give a folder on a device of its own an id that two processes agree on", () => {
    const folders = [
      { path: "/usr", device: "61", inode: "12" },
      { path: "/workspace/", device: "66306", inode: "77" },
    ];
    const filesystemId = deviceFilesystemId({ owner: "container", device: "66306" });

    expect(mappingsFromDevices(folders, options)).toEqual([
      { agentPrefix: "/workspace", canonicalPrefix: "/workspace", filesystemId },
    ]);
    expect(deviceFilesystemId({ owner: "other", device: "66306" })).not.toBe(filesystemId);
  });

  it("find the host's folder by device and inode", () => {
    const host = { filesystemId: "host", folders: [{ path: "/home/ada/project", device: "66306", inode: "77" }] };
    const folders = [
      { path: "/workspace", device: "66306", inode: "77" },
      { path: "/else", device: "66306", inode: "78" },
    ];

    expect(mappingsFromDevices(folders, { ...options, host })).toEqual([
      { agentPrefix: "/workspace", canonicalPrefix: "/home/ada/project", filesystemId: "host" },
      expect.objectContaining({ agentPrefix: "/else", canonicalPrefix: "/else" }),
    ]);
  });
});
