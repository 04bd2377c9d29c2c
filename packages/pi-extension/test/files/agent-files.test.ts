import { describe, expect, it } from "vitest";
import { agentFilesOf, isFollowed, unknownFilesNotice } from "../../src/files/agent-files.ts";
import type { MountSetting } from "../../src/settings/settings.ts";

const names = ["read", "bash", "edit", "write", "cm_context"];
const tools = (...replaced: readonly string[]) =>
  names.map((name) => ({
    name,
    sourceInfo: { source: replaced.includes(name) || name === "cm_context" ? "local" : "builtin" },
  }));
const mount = (agentPrefix: string, canonicalPrefix: string): MountSetting => ({ agentPrefix, canonicalPrefix });
const nothing = { mounts: [], heard: undefined };

describe("whose files the agent's tools work on", () => {
  it("is this machine with Pi's own tools, whatever mounts are configured for a sandbox that is not in use", () => {
    const files = agentFilesOf(tools(), { mounts: [mount("/workspace", "/work")], heard: undefined });

    expect(files.kind).toBe("host");
    expect(["read", "bash", "search_web"].map((tool) => isFollowed(files, tool))).toEqual([true, true, true]);
    expect(unknownFilesNotice(files)).toBeUndefined();
  });

  it("is not known where another extension brought the tools for files and no mounts are configured", () => {
    const files = agentFilesOf(tools("read", "bash", "edit", "write"), nothing);

    expect(files.kind).toBe("unknown");
    expect(["read", "bash", "ls", "search_web"].map((tool) => isFollowed(files, tool))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(unknownFilesNotice(files)).toContain("bash, edit, read, write");
  });

  it("is this machine but for commands where only these were replaced", () => {
    const files = agentFilesOf(tools("bash"), nothing);

    expect(files.kind).toBe("host");
    expect(["read", "bash", "search_web"].map((tool) => isFollowed(files, tool))).toEqual([true, false, false]);
    expect(unknownFilesNotice(files)).toContain("(bash)");
  });

  it("is a sandbox where mounts are configured, or this machine where the mount is all of it", () => {
    const replaced = tools("read", "bash");

    expect(agentFilesOf(replaced, { mounts: [mount("/workspace", "/work")], heard: undefined }).kind).toBe("sandbox");
    const whole = agentFilesOf(replaced, { mounts: [mount("/", "/")], heard: undefined });
    expect([whole.kind, isFollowed(whole, "read"), unknownFilesNotice(whole)]).toEqual(["host", true, undefined]);
  });

  it("is what a sandbox says, and a configured mount wins for its prefix", () => {
    const heard = { mounts: [mount("/workspace", "/a"), mount("/data", "/b")], cwd: "/workspace" };

    const files = agentFilesOf(tools("read"), { mounts: [mount("/data", "/c")], heard });

    expect(files).toMatchObject({
      kind: "sandbox",
      cwd: "/workspace",
      mounts: [mount("/data", "/c"), mount("/workspace", "/a")],
    });
  });
});
