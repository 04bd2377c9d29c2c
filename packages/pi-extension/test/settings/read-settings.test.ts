import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentFolder, storeFileIn } from "@cm/store-place";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settingsFile } from "../../src/settings/folders.ts";
import { readSettings } from "../../src/settings/read-settings.ts";
import type { SettingSources } from "../../src/settings/setting-sources.ts";

let agentDir = "";
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "cm-settings-"));
  mkdirSync(join(agentDir, "context-manager"));
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const read = (sources: Partial<SettingSources> = {}) =>
  readSettings({ env: {}, agentDir, home: "/home/ada", cwd: "/work/app", ...sources });

/** The settings with this file; a text is written as it is. */
function withFile(file: unknown, sources: Partial<SettingSources> = {}) {
  writeFileSync(settingsFile(agentDir), typeof file === "string" ? file : JSON.stringify(file));
  return read(sources);
}

describe("settings", () => {
  it("need nothing to be set up", () => {
    expect(read()).toEqual({
      ...{
        off: false,
        layout: "log",
        preset: "default",
        mounts: [],
        ignore: [],
        openSecretFiles: [],
        discover: [],
        agentDir,
        problems: [],
      },
      ...{ notices: "short", protect: { tools: [], paths: [], prompts: 0 } },
      store: { kind: "sqlite", path: storeFileIn(agentDir) },
    });
  });

  it("come from the file", () => {
    const settings = withFile({
      ...{ off: true, layout: "ssot", preset: "lean", store: "~/cm.sqlite", ignore: ["*.log"], discover: ["/srv"] },
      mounts: ["/workspace=/work/app", { agent: "/a@b", canonical: "/c", filesystemId: "id" }],
      roots: ["/work", "~/notes"],
    });

    expect(settings).toMatchObject({
      ...{ off: true, layout: "ssot", preset: "lean", ignore: ["*.log"], problems: [] },
      store: { kind: "sqlite", path: "/home/ada/cm.sqlite" },
      discover: [{ type: "filesystem", pathPrefix: "/srv" }],
      mounts: [
        { agentPrefix: "/workspace", canonicalPrefix: "/work/app" },
        { agentPrefix: "/a@b", canonicalPrefix: "/c", filesystemId: "id" },
      ],
      roots: ["/work", "/home/ada/notes"],
    });
  });

  it("may have comments, commas at the end, and a schema for editors", () => {
    const settings = withFile('{\n  "$schema": "x.json", // completion\n  /* cheap */ "preset": "lean",\n}\n');

    expect([settings.preset, settings.problems]).toEqual(["lean", []]);
    expect(withFile("// nothing yet\n").problems).toEqual([]);
  });

  it("come from variables before flags, and from flags before the file", () => {
    const file = { layout: "ssot", preset: "lean", store: "file.sqlite", mounts: ["/f=/f"], off: true };
    const flags = { "cm-layout": "log", "cm-preset": "careful", "cm-store": "flag.sqlite", "cm-mount": "/g=/g" };
    const env = { CM_PRESET: "default", CM_STORE: "env.sqlite", CM_MOUNTS: "/e=/e", CM_OFF: "0" };

    const [byFlag, byVariable] = [withFile(file, { flags }), withFile(file, { flags, env })];

    expect([byFlag.layout, byFlag.preset, byFlag.mounts[0]?.agentPrefix]).toEqual(["log", "careful", "/g"]);
    expect([byFlag.store, byFlag.off]).toEqual([{ kind: "sqlite", path: "/work/app/flag.sqlite" }, true]);
    expect([byVariable.layout, byVariable.preset, byVariable.mounts[0]?.agentPrefix]).toEqual(["log", "default", "/e"]);
    expect([byVariable.store, byVariable.off]).toEqual([{ kind: "sqlite", path: "/work/app/env.sqlite" }, false]);
  });

  it.each([
    [{ CM_OFF: "1" }, true],
    [{ CM_OFF: "true" }, true],
    [{ CM_OFF: "off" }, false],
    [{ CM_OFF: "" }, false],
  ])("switch us off by %j: %s", (env, off) => {
    expect(read({ env }).off).toBe(off);
  });

  it("select the nodes of an XTDB before any file", () => {
    const env = {
      CM_XTDB_URL: "http://a:3000, https://b",
      CM_XTDB_TOKEN: "t",
      CM_XTDB_NAMESPACE: "team",
      CM_STORE: "x",
    };

    expect(read({ env }).store).toEqual({
      kind: "xtdb",
      urls: ["http://a:3000", "https://b"],
      token: "t",
      namespace: "team",
    });
    expect(withFile({ store: { xtdb: ["http://a", "http://b"], token: "t" } }).store).toEqual({
      ...{ kind: "xtdb", urls: ["http://a", "http://b"], token: "t", namespace: "" },
    });
    expect(withFile({ store: "http://a" }).store).toEqual({ kind: "xtdb", urls: ["http://a"], namespace: "" });
  });

  it("discover files of others only where that is said", () => {
    expect(withFile({ discover: "none" }).discover).toEqual([]);
    expect(withFile({ discover: "all" }).discover).toEqual([{ type: "filesystem" }]);
  });
});

describe("mounts as text", () => {
  it.each([
    ["/w=/a", { agentPrefix: "/w", canonicalPrefix: "/a" }],
    ["/w/=/a/", { agentPrefix: "/w", canonicalPrefix: "/a" }],
    ["/w=/a@id", { agentPrefix: "/w", canonicalPrefix: "/a", filesystemId: "id" }],
    ["/w=/a@b/c", { agentPrefix: "/w", canonicalPrefix: "/a@b/c" }],
    ["/w=/pkg@1/", { agentPrefix: "/w", canonicalPrefix: "/pkg@1" }],
    ["/w=/a=b", { agentPrefix: "/w", canonicalPrefix: "/a=b" }],
  ])("%s", (text, mount) => {
    expect(read({ env: { CM_MOUNTS: text } }).mounts).toEqual([mount]);
  });
});

describe("Pi's folder", () => {
  it.each([
    [{}, "/home/ada/.pi/agent"],
    [{ PI_CODING_AGENT_DIR: "" }, "/home/ada/.pi/agent"],
    [{ PI_CODING_AGENT_DIR: "/srv/pi" }, "/srv/pi"],
    [{ PI_CODING_AGENT_DIR: "~/pi" }, "/home/ada/pi"],
    [{ PI_CODING_AGENT_DIR: "~" }, "/home/ada"],
    [{ PI_CODING_AGENT_DIR: "pi" }, "/work/pi"],
  ])("with %j is %s", (env, folder) => {
    expect(agentFolder(env, { home: "/home/ada", cwd: "/work" })).toBe(folder);
  });
});
