// Verifies: SSOT 5.12: Pi alone compacts by Pi's own settings, whatever stands in them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { compactionSettings } from "../../src/figures/compaction-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "cm-compaction-"));
afterAll(() => rmSync(folder, { recursive: true }));

const defaults = { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000 };
const [user, project] = [join(folder, "user.json"), join(folder, "project.json")];
const override = { modelOverrides: { "p/m": { reserveTokens: 7 } } };

it.each<readonly [string, string, object]>([
  ["{}", "{}", defaults],
  ['{"compaction":{"enabled":false,"keepRecentTokens":5}}', "", { ...defaults, enabled: false, keepRecentTokens: 5 }],
  ['{"compaction":{"reserveTokens":1}}', '{"compaction":{"reserveTokens":2}}', { ...defaults, reserveTokens: 2 }],
  [JSON.stringify({ compaction: override }), '{"compaction":{"reserveTokens":2}}', { ...defaults, reserveTokens: 7 }],
  ['{"compaction":{"reserveTokens":-1,"keepRecentTokens":"x","enabled":3}}', "[]", defaults],
  ['{"compaction":7}', "no JSON", defaults],
])("understands %s and %s", (ofUser, ofProject, expected) => {
  writeFileSync(user, ofUser);
  writeFileSync(project, ofProject);

  expect(compactionSettings([user, project])("p/m")).toEqual(expected);
});

it("needs no file", () => {
  expect(compactionSettings([join(folder, "none"), folder])("p/m")).toEqual(defaults);
});
