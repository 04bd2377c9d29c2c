// @module-tag pi
// Verifies: F17. Seeds drive a real Pi, one here and 50 for each version in a campaign, and what it told is
// told to the extension. In a campaign the recordings of some seeds become the fixtures of recorded-events.test.ts:
//
//     CM_CAMPAIGN=1 pnpm exec vitest run packages/pi-extension/test/events/record-events.test.ts
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  canRunPi,
  type PiVersion,
  piVersions,
  type ScriptedModel,
  startScriptedModel,
} from "@cm/scripted-models/real-pi";
import { forSeeds } from "@cm/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { recordSeed } from "./record-seed.ts";
import { replay } from "./replay.ts";

const file = "packages/pi-extension/test/events/record-events.test.ts";
const fixtures = join(import.meta.dirname, "fixtures");
/** Seeds whose recordings are kept: together they hold most of what is done. */
const kept: readonly number[] = process.env.CM_CAMPAIGN === "1" ? [2, 3, 10, 31] : [];

const there = new Map<PiVersion, boolean>();
for (const version of piVersions) there.set(version, await canRunPi(version));

for (const version of piVersions) {
  const withPi = requirement(`Pi ${version}`, () => there.get(version) === true);
  withPi(`Pi ${version}, driven by seeds`, () => {
    let model: ScriptedModel;
    beforeAll(async () => {
      model = await startScriptedModel();
    });
    afterAll(() => model.close());

    it("tells nothing that our extension makes an illegal request of", async () => {
      await forSeeds({ short: 1, long: 50, file }, async (random, seed) => {
        const recording = await recordSeed(model, { version, seed, random });
        if (kept.includes(seed)) {
          await writeFile(join(fixtures, `${version}-seed-${seed}.jsonl`), `${JSON.stringify(recording)}\n`);
        }
        const { faults, findings, steps } = await replay(recording);
        expect({ faults, findings }, recording.actions.join(", ")).toEqual({ faults: [], findings: [] });
        expect(steps, recording.actions.join(", ")).toBeGreaterThan(0);
      });
    });
  });
}
