// Verifies: SSOT 5.3: translation in both directions. T8: prefixes match whole components, and nothing escapes them.

import { type MountMapping, mountTable, parseMountMappings } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";

const map = (agentPrefix: string, canonicalPrefix: string, filesystemId = "host"): MountMapping => ({
  agentPrefix,
  canonicalPrefix,
  filesystemId,
});

const table = (...mappings: readonly MountMapping[]) => mountTable({ mappings, defaultFilesystemId: "own" });

describe("forward translation", () => {
  it("replaces the prefix of a mapping and takes its file system id", () => {
    const { toCanonical } = table(map("/workspace", "/home/ada/project"));

    const place = toCanonical("/workspace/src/main.ts");

    expect(place).toEqual({ filesystemId: "host", path: "/home/ada/project/src/main.ts", mapped: true });
  });

  it("leaves a path without a mapping as it is, in the default file system", () => {
    const { toCanonical } = table(map("/workspace", "/home/ada/project"));

    expect(toCanonical("/etc/hosts")).toEqual({ filesystemId: "own", path: "/etc/hosts", mapped: false });
  });

  it.each([
    ["the prefix itself", "/workspace", "/p"],
    ["a slash at the end", "/workspace/", "/p"],
    ["double slashes", "//workspace///a//b", "/p/a/b"],
    ["single dots", "/./workspace/./a/.", "/p/a"],
    ["double dots inside", "/workspace/a/../b", "/p/b"],
    ["a way into the prefix", "/etc/../workspace/a", "/p/a"],
    ["names that begin with dots", "/workspace/..a/...", "/p/..a/..."],
    ["white space and other alphabets", "/workspace/a b/ä中\u0301", "/p/a b/ä中\u0301"],
  ])("understands %s", (_, agentPath, path) => {
    const { toCanonical } = table(map("/workspace/", "/p/./"));

    expect(toCanonical(agentPath)).toEqual({ filesystemId: "host", path, mapped: true });
  });

  it.each([
    ["/workspace-2/a", "/workspace-2/a"],
    ["/workspace/../etc/passwd", "/etc/passwd"],
    ["/workspace/a/../../secret", "/secret"],
    ["/../../etc/passwd", "/etc/passwd"],
    ["/Workspace/a", "/Workspace/a"],
  ])("does not take %s for a path of the mapping", (agentPath, path) => {
    const { toCanonical } = table(map("/workspace", "/p"));

    expect(toCanonical(agentPath)).toEqual({ filesystemId: "own", path, mapped: false });
  });

  it("takes the longest prefix of nested mappings, in whatever order they come", () => {
    const mappings = [map("/w", "/p"), map("/w/a/b", "/q", "nas"), map("/", "/r", "image"), map("/w/a", "/p2")];

    for (const order of [mappings, mappings.toReversed()]) {
      const { toCanonical } = table(...order);

      expect(["/w/x", "/w/a/x", "/w/a/b/x", "/w/a/bx", "/x", "/"].map((path) => toCanonical(path).path)).toEqual([
        "/p/x",
        "/p2/x",
        "/q/x",
        "/p2/bx",
        "/r/x",
        "/r",
      ]);
    }
  });

  it("can map to a root", () => {
    const { toCanonical, toAgent } = table(map("/host", "/"));

    expect(toCanonical("/host/etc/hosts").path).toBe("/etc/hosts");
    expect(toCanonical("/host").path).toBe("/");
    expect(toAgent({ filesystemId: "host", path: "/" })).toBe("/host");
    expect(toAgent({ filesystemId: "host", path: "/etc" })).toBe("/host/etc");
  });

  it("can map to a drive of Windows", () => {
    const { toCanonical, toAgent } = table(map("/code", "c:\\Users\\ada"), map("/d", "D:\\"));

    expect(toCanonical("/code/a/b").path).toBe("C:/Users/ada/a/b");
    expect(toCanonical("/d/a").path).toBe("D:/a");
    expect(toAgent({ filesystemId: "host", path: "C:\\Users\\ada\\a" })).toBe("/code/a");
    expect(toAgent({ filesystemId: "host", path: "D:/x" })).toBe("/d/x");
  });

  it("refuses a relative path", () => {
    const { toCanonical } = table();

    for (const path of ["a/b", "", ".", "C:a", "/a\0b"]) {
      expect(() => toCanonical(path)).toThrow(expect.objectContaining({ code: "source/invalid-path" }));
    }
  });
});

describe("reverse translation", () => {
  it("takes the longest canonical prefix", () => {
    const { toAgent } = table(map("/home", "/home"), map("/workspace", "/home/ada/project"));

    expect(toAgent({ filesystemId: "host", path: "/home/ada/project/a" })).toBe("/workspace/a");
    expect(toAgent({ filesystemId: "host", path: "/home/ada/projects/a" })).toBe("/home/ada/projects/a");
  });

  it("has no path for a place that no mapping leads to", () => {
    const { toAgent } = table(map("/workspace", "/home/ada/project"));

    expect(toAgent({ filesystemId: "host", path: "/home/ada/other" })).toBeUndefined();
    expect(toAgent({ filesystemId: "nas", path: "/home/ada/project" })).toBeUndefined();
    expect(toAgent({ filesystemId: "own", path: "/etc/hosts" })).toBe("/etc/hosts");
  });

  it("never shows a path that leads elsewhere, because a nested mapping hides the place", () => {
    const { toAgent } = table(map("/w", "/p"), map("/w/modules", "/volume"), map("/data", "/x", "own"));

    expect(toAgent({ filesystemId: "host", path: "/p/modules/a" })).toBeUndefined();
    expect(toAgent({ filesystemId: "own", path: "/data/a" })).toBeUndefined();
    expect(toAgent({ filesystemId: "own", path: "/w/a" })).toBeUndefined();
  });

  it("finds the way through another mapping where the nearest one is hidden", () => {
    const { toAgent } = table(map("/w", "/p/q"), map("/w/modules", "/volume"), map("/all", "/p"));

    expect(toAgent({ filesystemId: "host", path: "/p/q/modules/a" })).toBe("/all/q/modules/a");
  });

  it("takes the first of two mappings of one place", () => {
    const { toAgent } = table(map("/first", "/p"), map("/second", "/p"));

    expect(toAgent({ filesystemId: "host", path: "/p/a" })).toBe("/first/a");
  });
});

describe("mappings from a configuration", () => {
  it.each<[string, unknown, readonly string[]]>([
    ["is no list", {}, ["(the list)"]],
    ["has a relative prefix", [map("workspace", "/p")], ["0.agentPrefix"]],
    ["has an empty prefix", [map("/w", "")], ["0.canonicalPrefix"]],
    ["has a NUL", [map("/w\0", "/p")], ["0.agentPrefix"]],
    ["has an empty id", [map("/a", "/b"), map("/w", "/p", "")], ["1.filesystemId"]],
    ["lacks a field", [{ agentPrefix: "/w", filesystemId: "x" }], ["0.canonicalPrefix"]],
    ["has a field too many", [{ ...map("/w", "/p"), readOnly: true }], ["0: unknown 1 field(s)"]],
    ["has an endless prefix", [map(`/${"a".repeat(5_000)}`, "/p")], ["0.agentPrefix"]],
    ["has one prefix for two places", [map("/w", "/p"), map("/w/", "/q")], ["1.agentPrefix"]],
  ])("are refused by the name of the field where one %s", (_, value, fields) => {
    expect(() => parseMountMappings(value)).toThrow(
      expect.objectContaining({ code: "source/invalid-mapping", data: { fields } }),
    );
  });

  it("never show a value in an error", () => {
    const secret = map("sk-secret", "sk-secret", "");

    expect(() => parseMountMappings([{ ...secret, "sk-secret": 1 }])).toThrow(/^(?!.*sk-secret)/);
  });

  it("are bounded in number", () => {
    const many = Array.from({ length: 20_001 }, (_, n) => map(`/${n}`, "/p"));

    expect(() => parseMountMappings(many)).toThrow(expect.objectContaining({ code: "source/invalid-mapping" }));
  });

  it("come out in normal form, and once", () => {
    expect(parseMountMappings([map("/w/", "//p/."), map("/w", "/p")])).toEqual([map("/w", "/p")]);
  });
});
