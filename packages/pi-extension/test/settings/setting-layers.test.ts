// Verifies: SSOT 5.12: settings per project and per model, of which the more special one wins.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeFileIn } from "@cm/store-place";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectSettingsFile, settingsFile } from "../../src/settings/folders.ts";
import { liveSettings } from "../../src/settings/live-settings.ts";
import { openSettings, readSettings } from "../../src/settings/read-settings.ts";
import type { SettingSources } from "../../src/settings/setting-sources.ts";
import { fitsWildcard } from "../../src/settings/wildcard.ts";

let [agentDir, cwd] = ["", ""];
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "cm-layers-"));
  cwd = join(agentDir, "project");
  mkdirSync(join(agentDir, "context-manager"));
  mkdirSync(join(cwd, ".pi"), { recursive: true });
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

interface Files {
  readonly user?: object;
  readonly project?: object;
}

function sourcesWith({ user = {}, project = {} }: Files, more: Partial<SettingSources> = {}): SettingSources {
  writeFileSync(settingsFile(agentDir), JSON.stringify(user));
  writeFileSync(projectSettingsFile(cwd), JSON.stringify(project));
  return { env: {}, agentDir, home: "/home/ada", cwd, isProjectTrusted: true, ...more };
}

const read = (files: Files, more: Partial<SettingSources> = {}) => readSettings(sourcesWith(files, more));

describe("a project's settings", () => {
  it("win over the user's, and give way to flags and variables", () => {
    const files = { user: { preset: "lean", notices: "long" }, project: { preset: "careful" } };

    expect(read(files)).toMatchObject({ preset: "careful", notices: "long", problems: [] });
    expect(read(files, { flags: { "cm-preset": "default" } }).preset).toBe("default");
    expect(read(files, { flags: { "cm-preset": "default" }, env: { CM_PRESET: "lean" } }).preset).toBe("lean");
  });

  it("count only where Pi trusts the project", () => {
    expect(read({ project: { preset: "lean", off: true } }, { isProjectTrusted: false })).toMatchObject({
      ...{ preset: "default", off: false, problems: [] },
    });
  });

  it("turn us off, and on again where the user's turn us off", () => {
    expect(read({ project: { off: true } })).toMatchObject({ off: true, offBy: "file" });
    expect(read({ user: { off: true }, project: { off: false } })).toMatchObject({ off: false, offBy: "file" });
    expect(read({ project: { off: true } }, { env: { CM_OFF: "0" } })).toMatchObject({ off: false, offBy: "run" });
  });

  it("add to what the user protects and keeps closed, and take nothing away", () => {
    const settings = read({
      user: { protect: { tools: ["mcp_*"], paths: ["AGENTS.md"], prompts: 3 }, ignore: ["*.pem"] },
      project: { protect: { tools: [], paths: ["docs/**", "AGENTS.md"], prompts: 1 }, ignore: ["*.key"] },
    });

    expect(settings.protect).toEqual({ tools: ["mcp_*"], paths: ["docs/**", "AGENTS.md"], prompts: 1 });
    expect(settings.ignore.toSorted()).toEqual(["*.key", "*.pem"]);
  });

  it.each([
    ["store", { xtdb: "http://collector.example", token: "hunter2" }],
    ["store", "/tmp/elsewhere.sqlite"],
    ["mounts", ["/workspace=/home/ada"]],
    ["roots", ["/"]],
    ["openSecretFiles", ["*"]],
    ["discover", "all"],
    ["layout", "ssot"],
  ])("say nothing about %s, which decides where data goes, what is opened and what is paid", (name, value) => {
    const settings = read({ user: { roots: ["/work"] }, project: { [name]: value, notices: "long" } });

    expect(settings).toMatchObject({
      ...{ store: { kind: "sqlite", path: storeFileIn(agentDir) }, mounts: [], discover: [], layout: "log" },
      ...{ roots: ["/work"], notices: "long" },
    });
    expect(settings.problems).toEqual([expect.stringContaining(`"${name}" is not taken from a project`)]);
    expect(settings.problems.join()).not.toMatch(/hunter2|collector|elsewhere/);
  });
});

describe("settings for a model", () => {
  const models = {
    "*": { notices: "off" },
    "anthropic/*": { preset: "careful", protect: { tools: ["bash"] } },
    "anthropic/claude-*": { preset: "lean", protect: { prompts: 2 } },
    "gpt-*": { preset: "careful" },
  };

  it("are those of the patterns that fit, the most special one first", () => {
    const of = (model?: string) => read({ user: { models } }, model === undefined ? {} : { model });

    expect(of("anthropic/claude-x")).toMatchObject({
      ...{ preset: "lean", notices: "off", protect: { tools: ["bash"], paths: [], prompts: 2 } },
    });
    expect(of("anthropic/other")).toMatchObject({ preset: "careful", protect: { prompts: 0 } });
    // A pattern without a provider is for the model of any.
    expect(of("openai/gpt-9")).toMatchObject({ preset: "careful", notices: "off" });
    expect(of("openai/o-9")).toMatchObject({ preset: "default", notices: "off" });
    expect(of()).toMatchObject({ preset: "default", notices: "short" });
  });

  it("stand before what the same file says for all, and behind a more special file", () => {
    const model = "a/m";
    const user = { preset: "careful", models: { "a/m": { preset: "lean", notices: "long" } } };

    expect(read({ user }, { model })).toMatchObject({ preset: "lean", notices: "long" });
    expect(read({ user, project: { preset: "default" } }, { model })).toMatchObject({
      ...{ preset: "default", notices: "long" },
    });
    expect(
      read({ user, project: { preset: "default", models: { "a/*": { preset: "careful" } } } }, { model }).preset,
    ).toBe("careful");
  });

  it("follow the model that runs, and leave the rest as the session began", () => {
    let model = "a/one";
    const sources = sourcesWith({
      user: { off: false, models: { "a/two": { preset: "lean", protect: { prompts: 4 } } } },
    });
    const settings = liveSettings(openSettings(sources), () => model);

    expect([settings.preset, settings.protect.prompts, settings.notices]).toEqual(["default", 0, "short"]);
    model = "a/two";
    expect([settings.preset, settings.protect.prompts, settings.notices]).toEqual(["lean", 4, "short"]);
    writeFileSync(settingsFile(agentDir), JSON.stringify({ preset: "careful" }));
    model = "a/one";
    expect(settings.preset).toBe("default");
  });
});

describe("a pattern", () => {
  it.each([
    ["a/b", "a/b", true],
    ["a/b", "a/bc", false],
    ["*", "", true],
    ["a*c*", "abcbd", true],
    ["*b", "abab", true],
    ["a*d", "abc", false],
    [".*", "ab", false],
  ])("%s and %s: %s", (pattern, text, fits) => {
    expect(fitsWildcard(pattern, text)).toBe(fits);
  });

  it("takes no time that grows with its stars", () => {
    expect(fitsWildcard("*a".repeat(2_000), "a".repeat(1_999))).toBe(false);
  });
});
