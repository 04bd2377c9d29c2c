// @module-tag pi
// @module-tag long
// Verifies: HAR-001 to HAR-053 for a real Pi with this extension.

import {
  canRunPi,
  type PiRun,
  type PiVersion,
  piVersions,
  preparePi,
  startScriptedModel,
  wireFormats,
} from "@cm/scripted-models/real-pi";
import { type HarnessUnderTest, harnessSuite, remembering } from "@cm/testkit";
import { afterAll, beforeAll, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { openPiHarness, type PiHarness } from "./pi-harness.ts";

const isLong = process.env.CM_CAMPAIGN === "1";
const table: readonly (readonly [PiVersion, PiRun["format"]])[] = isLong
  ? piVersions.flatMap((version) => wireFormats.map((format) => [version, format] as const))
  : [["0.87.1", "anthropic-messages"]];

const model = await startScriptedModel();
afterAll(() => model.close());

const there = new Map<PiVersion, boolean>();
for (const version of piVersions) there.set(version, await canRunPi(version));

for (const [version, format] of table) {
  const withPi = requirement(`Pi ${version}`, () => there.get(version) === true);
  withPi(`Pi ${version} over ${format} fulfils harness/1`, () => {
    let opened: PiHarness;
    let harness: HarnessUnderTest;
    beforeAll(async () => {
      opened = await openPiHarness({ pi: await preparePi(version), format, model });
      harness = remembering(opened);
    });
    afterAll(() => opened.close());

    it.each(harnessSuite.cases)("$id ($clause) $title", ({ run }) => run(() => harness));
  });
}
