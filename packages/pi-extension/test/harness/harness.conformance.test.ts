// Verifies: HAR-001 to HAR-053 for a real Pi with this extension.
import { type HarnessFeature, harnessSuite, remembering } from "@cm/testkit";
import { afterAll, it, vi } from "vitest";
import {
  canRunPi,
  type PiRun,
  type PiVersion,
  piVersions,
  preparePi,
  startScriptedModel,
  wireFormats,
} from "../../../../tools/real-pi/real-pi.ts";
import { requirement } from "../../../../tools/requirement.ts";
import { piHarness } from "./pi-harness.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const features: readonly HarnessFeature[] = [
  ...["thinking", "images", "steering", "blocking", "asks-again", "usage", "restart", "kill"],
  ...["going-back", "store-away", "detach", "elsewhere", "redaction", "log"],
] as readonly HarnessFeature[];

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
    const harness = preparePi(version).then((pi) => remembering(piHarness({ pi, format, model, features })));

    it.concurrent.each(harnessSuite.cases)("$id ($clause) $title", async ({ run }) => {
      const opened = await harness;
      await run(() => opened);
    });
  });
}
