// Verifies: SSOT 5.12: each mistake in settings is named once, in one notice, and leaves the rest in force.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectSettingsFile, settingsFile } from "../../src/settings/folders.ts";
import { problemsNotice } from "../../src/settings/problem.ts";
import { readSettings } from "../../src/settings/read-settings.ts";
import type { SettingSources } from "../../src/settings/setting-sources.ts";
import type { Settings } from "../../src/settings/settings.ts";

let [agentDir, cwd] = ["", ""];
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "cm-mistakes-"));
  cwd = join(agentDir, "project");
  mkdirSync(join(agentDir, "context-manager"));
  mkdirSync(join(cwd, ".pi"), { recursive: true });
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const read = (more: Partial<SettingSources> = {}): Settings =>
  readSettings({ env: {}, agentDir, home: "/home/ada", cwd, isProjectTrusted: true, model: "a/m", ...more });

const many = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n));

/** What is written, beside `"notices": "long"`, and what is said about it behind the place. */
const fields: [title: string, written: string, said: string, holds?: Partial<Settings>][] = [
  ["off as a text", '"off": "yes"', '"off" must be true or false. Now the default holds.', { off: false }],
  ["off as a number", '"off": 1', '"off" must be true or false. Now the default holds.', { off: false }],
  [
    "a preset that is none",
    '"preset": "huge"',
    '"preset" must be "careful", "default" or "lean". Now the default holds.',
  ],
  [
    "a preset in capitals",
    '"preset": "Lean"',
    '"preset" must be "careful", "default" or "lean".',
    { preset: "default" },
  ],
  ["a list as a preset", '"preset": ["lean"]', '"preset" must be'],
  ["null", '"preset": null', '"preset" must be "careful", "default" or "lean".'],
  ["a layout that is none", '"layout": "html"', '"layout" must be "log" or "ssot".', { layout: "log" }],
  [
    "a name with a letter more",
    '"presett": "lean"',
    '"presett" is not known; did you mean "preset"? It is left aside.',
  ],
  ["a name in capitals", '"Protect": {}', '"Protect" is not known; did you mean "protect"? It is left aside.'],
  ["a name with letters swapped", '"ingore": ["*.pem"]', '"ingore" is not known; did you mean "ignore"?'],
  ["a name like no other", '"colour": "hunter2"', '"colour" is not known. It is left aside.'],
  ["a name that steers a terminal", '"a\\u001b[31m\\nb": 1', '"a\\u{1b}[31m\\u{a}b" is not known.'],
  ["a name that objects have", '"__proto__": { "off": true }', '"__proto__" is not known.', { off: false }],
  [
    "a setting twice",
    '"preset": "careful", "preset": "lean"',
    '"preset" stands there a second time. The last one holds.',
    { preset: "lean" },
  ],
  ["a store that is a number", '"store": 7', '"store" must be a path, a URL of an XTDB node, or'],
  [
    "a store of another program",
    '"store": "mysql://ada:hunter2@host"',
    '"store" must be a file, or the URL of a Postgres or of XTDB nodes. Now the default holds.',
  ],
  ["an XTDB without a URL", '"store": { "xtdb": [] , "token": "hunter2" }', '"store" must be a path, a URL'],
  [
    "an XTDB with a namespace that is none",
    '"store": { "xtdb": "http://a", "namespace": "not one" }',
    "The namespace beside",
  ],
  ["a mount with a relative path", '"mounts": ["workspace=/a"]', '"mounts" must be agent=canonical', { mounts: [] }],
  [
    "a mount that is half",
    '"mounts": [{ "agent": "/a" }]',
    '"mounts" must be a list of at most 256 mounts',
    { mounts: [] },
  ],
  [
    "a mount that leads to two places",
    '"mounts": ["/w=/a", "/w=/b"]',
    '"mounts" must be agent=canonical',
    { mounts: [] },
  ],
  [
    "a root that is a number, beside a good one",
    '"roots": ["/work", 7]',
    '"roots", entry 2 must be a folder\'s path. It is left aside; no file is opened outside of the other folders.',
    { roots: ["/work"] },
  ],
  ["a root that is empty, and no other", '"roots": [""]', '"roots", entry 1 must be', { roots: [] }],
  [
    "a folder in place of a list of roots",
    '"roots": "/work"',
    '"roots" must be a list of folders. Now no file is opened for this session.',
    { roots: [] },
  ],
  [
    "an ignored file that is none, among others",
    '"ignore": ["*.pem", 5, "*.key"]',
    '"ignore", entry 2 must be a rule in gitignore syntax. It is left aside; the rest of the list holds.',
    { ignore: ["*.pem", "*.key"] },
  ],
  [
    "too many rules",
    `"ignore": ${JSON.stringify(many(1_001, (n) => `*.${n}`))}`,
    '"ignore" has more than 1000 entries. The first 1000 hold.',
    { ignore: many(1_000, (n) => `*.${n}`) },
  ],
  [
    "a folder of others that is none",
    '"discover": ["/srv", 1]',
    '"discover" must be "none", "all" or a list of folders.',
    { discover: [] },
  ],
  ["protection as a list", '"protect": ["bash"]', '"protect" must be an object with tools, paths or prompts.'],
  [
    "protection under an unknown name",
    '"protect": { "tool": ["bash"], "prompts": 2 }',
    '"protect.tool" is not known; did you mean "tools"?',
    { protect: { tools: [], paths: [], prompts: 2 } },
  ],
  [
    "a negative number of prompts",
    '"protect": { "prompts": -1, "tools": ["bash"] }',
    '"protect.prompts" must be a whole number from 0 to 1000.',
    { protect: { tools: ["bash"], paths: [], prompts: 0 } },
  ],
  ["half a prompt", '"protect": { "prompts": 1.5 }', '"protect.prompts" must be a whole number'],
  [
    "one tool in place of a list",
    '"protect": { "tools": "bash", "paths": ["a"] }',
    '"protect.tools" must be a list of names of tools.',
    { protect: { tools: [], paths: ["a"], prompts: 0 } },
  ],
  [
    "too many patterns",
    `"protect": { "paths": ${JSON.stringify(many(300, String))} }`,
    '"protect.paths" has more than 256 entries. The first 256 hold.',
    { protect: { tools: [], paths: many(256, String), prompts: 0 } },
  ],
  [
    "a pattern that is too long",
    `"protect": { "paths": ["a", "${"x".repeat(5_000)}"] }`,
    '"protect.paths", entry 2 must be a path pattern.',
    { protect: { tools: [], paths: ["a"], prompts: 0 } },
  ],
  ["notices as a switch", '"notices": true', '"notices" must be "off", "short" or "long". Now the default holds.'],
  ["a list of models", '"models": ["anthropic/*"]', '"models" must be an object of at most 64 sections'],
  [
    "a model's preset without a section",
    '"models": { "a/*": "lean" }',
    '"a/*" in "models" must be an object with preset, protect or notices',
  ],
  [
    "a wrong preset for a model",
    '"models": { "a/*": { "preset": "big", "protect": { "prompts": 1 } } }',
    '"preset" for the model "a/*" must be "careful", "default" or "lean". It counts as if it were not there.',
    { protect: { tools: [], paths: [], prompts: 1 }, preset: "default" },
  ],
  [
    "a store for a model",
    '"models": { "a/*": { "store": "hunter2", "preset": "lean" } }',
    '"store" for the model "a/*" is not known.',
    { preset: "lean" },
  ],
  [
    "a pattern for a model that is none",
    '"models": { "a/*": { "protect": { "tools": [1, "bash"] } } }',
    '"protect.tools" for the model "a/*", entry 1 must be a name of a tool.',
    { protect: { tools: ["bash"], paths: [], prompts: 0 } },
  ],
];

/** Where nothing of the file can be used. */
const files: readonly (readonly [title: string, make: (path: string) => void, said: string])[] = [
  [
    "no JSON",
    (path) => writeFileSync(path, '{\n  "off": true,\n  preset: lean\n}'),
    ", line 3: it is no JSON (InvalidSymbol).",
  ],
  ["cut off", (path) => writeFileSync(path, '{ "off": true'), ", line 1: it is no JSON (CloseBraceExpected)."],
  ["of brackets", (path) => writeFileSync(path, "[".repeat(60_000)), ", line 1: it is no JSON (TooManyBrackets)."],
  ["a list", (path) => writeFileSync(path, "[]"), ", line 1: it must be one object in braces."],
  ["too large", (path) => writeFileSync(path, `{ "off": true }${" ".repeat(70_000)}`), " has more than 65536 bytes."],
  [
    "in another encoding",
    (path) => writeFileSync(path, Buffer.from('{ "off": true }', "utf16le").fill(0xff, 0, 1)),
    " must be text in UTF-8.",
  ],
  ["a folder", (path) => mkdirSync(path), " must be a file, and is a folder."],
  ["not to be read", (path) => symlinkSync(path, path), " cannot be read."],
];

describe("a mistake in a file", () => {
  it.each(fields.map(([title, written, said, holds = {}]) => [title, { written, said, holds }] as const))(
    "%s is named, and the rest holds",
    (_, { written, said, holds }) => {
      const companion = written.startsWith('"notices"') ? '"ignore": ["*.x"]' : '"notices": "long"';
      writeFileSync(settingsFile(agentDir), `{\n  ${companion},\n  ${written}\n}\n`);

      const { problems, ...settings } = read();

      expect(problems).toEqual([expect.stringContaining(said)]);
      expect(problems[0]).toMatch(/^\P{Cc}+\.$/u);
      expect(problems[0]).toContain(settingsFile(agentDir));
      expect(problems.join()).not.toContain("hunter2");
      expect(settings).toMatchObject(companion.includes("long") ? { notices: "long" } : { ignore: ["*.x"] });
      expect(settings).toMatchObject(holds);
    },
  );

  it("names the line that it stands in", () => {
    writeFileSync(
      settingsFile(agentDir),
      '// mine\n{\n  "protect": {\n    "paths": [\n      "a",\n      7,\n    ],\n  },\n}\n',
    );

    expect(read().problems).toEqual([
      expect.stringMatching(/settings\.json, line 6: "protect\.paths", entry 2 must be/),
    ]);
  });

  it.each(files)("leaves the project's file and variables in force where the file is %s", (_, make, said) => {
    writeFileSync(projectSettingsFile(cwd), '{ "notices": "long" }');
    make(settingsFile(agentDir));

    const { problems, ...settings } = read({ env: { CM_PRESET: "lean" } });

    expect(problems).toEqual([`${settingsFile(agentDir)}${said} Nothing of the file is used.`]);
    expect(settings).toMatchObject({ off: false, notices: "long", preset: "lean" });
  });

  it("is none where an editor began the file with a mark", () => {
    writeFileSync(settingsFile(agentDir), '\uFEFF{ "preset": "lean" }');

    expect(read()).toMatchObject({ preset: "lean", problems: [] });
  });

  it("says whose word holds in its place", () => {
    writeFileSync(settingsFile(agentDir), '{ "preset": "lean" }');
    writeFileSync(projectSettingsFile(cwd), '{ "preset": "huge" }');

    const { preset, problems } = read();

    expect(preset).toBe("lean");
    expect(problems).toEqual([expect.stringContaining(`Now what ${settingsFile(agentDir)} says holds.`)]);
  });
});

it("people see files by their short names", () => {
  writeFileSync(settingsFile(agentDir), '{ "off": 1 }');
  writeFileSync(projectSettingsFile(cwd), '{ "off": 1 }');

  expect(read({ home: agentDir }).problems).toEqual([
    '.pi/context-manager.json, line 1: "off" must be true or false. Now the default holds.',
    '~/context-manager/settings.json, line 1: "off" must be true or false. Now the default holds.',
  ]);
});

describe("a mistake in a variable or flag", () => {
  it.each([
    [{ CM_OFF: "maybe" }, {}, "CM_OFF must be 1 or 0. Now the default holds."],
    [{ CM_LAYOUT: "html" }, {}, "CM_LAYOUT must be one of log, ssot. Now the default holds."],
    [{ CM_PRESET: "huge" }, {}, "CM_PRESET must be one of careful, default, lean. Now the default holds."],
    [
      { CM_PRESET: "huge" },
      { "cm-preset": "lean" },
      "CM_PRESET must be one of careful, default, lean. Now what --cm-preset says holds.",
    ],
    [{ CM_MOUNTS: "workspace=/a" }, {}, "CM_MOUNTS must be agent=canonical"],
    [{ CM_MOUNTS: "/w=/a,/w=/b" }, {}, "CM_MOUNTS must be agent=canonical"],
    [{ CM_XTDB_URL: "ftp://ada:hunter2@host" }, {}, "CM_XTDB_URL must be http or https URLs"],
    [{ CM_XTDB_URL: "http://" }, {}, "CM_XTDB_URL must be http or https URLs"],
    [{ CM_STORE: "mysql://ada:hunter2@host" }, {}, "CM_STORE must be a file, or the URL of a Postgres"],
    [{ CM_XTDB_URL: "http://a", CM_XTDB_NAMESPACE: "not one" }, {}, "The namespace beside CM_XTDB_URL must be"],
    [{ CM_PRESETS: "lean" }, {}, '"CM_PRESETS" is no variable of ours; did you mean "CM_PRESET"? It is left aside.'],
    [{ CM_XTDB_TOKENS: "hunter2" }, {}, 'did you mean "CM_XTDB_TOKEN"?'],
    [{}, { "cm-layout": "html" }, "--cm-layout must be one of log, ssot."],
    [{}, { "cm-store": "" }, "--cm-store needs a value behind it. It is left aside."],
    [{}, { "cm-preset": true }, "--cm-preset needs a value behind it. It is left aside."],
    [{}, { "cm-mount": "a" }, "--cm-mount must be agent=canonical"],
  ])("%j %j is named, and the file holds", (env, flags, said) => {
    writeFileSync(settingsFile(agentDir), '{ "notices": "long" }');

    const settings = read({ env, flags });

    expect(settings).toMatchObject({
      notices: "long",
      off: false,
      layout: "log",
      mounts: [],
      store: { kind: "sqlite" },
    });
    expect(settings.problems).toEqual([expect.stringContaining(said)]);
    expect(settings.problems.join()).not.toContain("hunter2");
  });

  it("is none in variables of others", () => {
    expect(read({ env: { CM_CAMPAIGN: "1", CM_THEME: "x", CMAKE: "y" } }).problems).toEqual([]);
  });
});

describe("the notice", () => {
  it("is one for all, in sentences", () => {
    const notice = problemsNotice(["One is wrong. Now the default holds.", "Another is. It is left aside."]);

    expect(notice?.split("\n")).toEqual([
      "Context Manager found 2 mistakes in its settings; all other settings are in force.",
      "- One is wrong. Now the default holds.",
      "- Another is. It is left aside.",
    ]);
    expect(problemsNotice([])).toBeUndefined();
  });

  it("ends somewhere", () => {
    expect(problemsNotice(many(50, String))?.split("\n").at(-1)).toBe("- and 10 more; /cm doctor lists them.");
  });
});
