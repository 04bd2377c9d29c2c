// @module-tag pi
// @module-tag long
// Verifies: SSOT 5.12: each figure that people read holds against a second, real Pi without us on the same script.

import {
  canRunPi,
  type PiVersion,
  piVersions,
  type ScriptedModel,
  startScriptedModel,
} from "@cm/scripted-models/real-pi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { versionsNow } from "../support/with-pi.ts";
import { readFigures } from "./support/read-figures.ts";
import { scenariosOf } from "./support/scenarios.ts";
import { playSideBySide, type SideBySide } from "./support/side-by-side.ts";

const there = new Map<PiVersion, boolean>();
for (const version of piVersions) there.set(version, await canRunPi(version));

// The other one in a campaign, and with it the other scenarios.
describe.each(versionsNow)("the figures in Pi %s", (version) => {
  requirement(`Pi ${version}`, () => there.get(version) === true)("beside the same Pi without us", () => {
    let model: ScriptedModel;
    beforeAll(async () => {
      model = await startScriptedModel();
    });
    afterAll(() => model.close());

    it.each(scenariosOf(version))("hold in a session that is $title", async (scenario) => {
      const played = await playSideBySide(scenario, model);

      if (process.env.CM_SHOW === "1")
        console.log(JSON.stringify({ title: scenario.title, ...played }, null, 1), played.report);
      expect(differences(played)).toEqual({
        requests: 0,
        tokens: expect.toSatisfy(withTimeout(1), "as Pi's footer has them"),
        plainTokens: expect.toSatisfy(withTimeout(2), "the other Pi's"),
        billed: expect.toSatisfy(withTimeout(2), "of what the other Pi was billed"),
        dollars: expect.toSatisfy(withTimeout(1), "as Pi's file has them"),
        plainDollars: expect.toSatisfy(withTimeout(2), "as the other Pi's file has them"),
      });
    });
  });
});

const withTimeout =
  (points: number) =>
  (difference: number): boolean =>
    Math.abs(difference) <= points;

/** In points: what is said, as a percentage of what is true, above a hundred. */
function differences({ report, ours, alone }: SideBySide) {
  const said = readFigures(report);
  const above = (figure: number, truth: number): number => 100 * (figure / truth - 1);
  return {
    requests: said.requests - ours.requests,
    tokens: above(said.contextTokens, ours.contextTokens),
    plainTokens: above(said.plainTokens, alone.contextTokens),
    billed: said.billedPercent - (100 * ours.input) / alone.input,
    dollars: above(said.dollars, ours.dollars),
    plainDollars: above(said.plainDollars, alone.dollars),
  };
}
