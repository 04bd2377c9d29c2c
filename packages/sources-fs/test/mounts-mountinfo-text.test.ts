// Verifies: SSOT 5.3: the text of /proc/PID/mountinfo, whatever is in it.
import { readFileSync } from "node:fs";
import { type MountTable, mappingsFromMountinfo, mountTable } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";

const host = { filesystemId: "host" };

function tableOf(mountinfo: string): MountTable {
  return mountTable({ mappings: mappingsFromMountinfo(mountinfo, host), defaultFilesystemId: "host" });
}

describe("a mountinfo text", () => {
  const covered = readFileSync(new URL("fixtures/mounts/covered.mountinfo", import.meta.url), "utf8");

  it("counts the last of the mounts on one folder, and none below a folder that was mounted over", () => {
    const { toCanonical } = tableOf(covered);

    expect(["/w/x", "/a/x", "/a/b/x"].map((path) => toCanonical(path).path)).toEqual([
      "/second/x",
      "/over/x",
      "/over/b/x",
    ]);
  });

  it("gives a mount of a deleted folder a space of its own", () => {
    const gone = tableOf(covered).toCanonical("/gone/x");

    expect(gone).toEqual({ filesystemId: expect.stringMatching(/^[0-9a-f]{64}$/), path: "/gone/x", mapped: true });
  });

  it("reads escapes and an empty source, and leaves out lines of another form", () => {
    const mappings = mappingsFromMountinfo(covered, host);

    expect(mappings.map(({ agentPrefix }) => agentPrefix)).toEqual(["/w", "/a", "/gone", "/empty\tsource\\"]);
  });

  it("may be empty", () => {
    expect(mappingsFromMountinfo("", host)).toEqual([]);
  });

  it("may have as many mounts of one disk as are allowed", () => {
    const lines = Array.from({ length: 19_999 }, (_, n) => `${n + 2} 1 8:1 /a/${n} /b/${n} rw - ext4 /dev/sda1 rw\n`);
    const text = `1 0 8:1 / / rw - ext4 /dev/sda1 rw\n${lines.join("")}`;

    expect(mappingsFromMountinfo(text, host)).toHaveLength(19_999);
  });

  it("is bounded in length and in mounts", () => {
    const line = "28 1 259:2 / /a rw - ext4 /dev/a rw\n";

    for (const text of ["x".repeat(9 * 1024 * 1024), line.repeat(20_001)]) {
      expect(() => mappingsFromMountinfo(text, host)).toThrow(expect.objectContaining({ code: "source/limit" }));
    }
  });
});
