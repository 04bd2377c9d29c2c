import {
  canRunPi,
  createPiHome,
  extensionPath,
  type PiCommand,
  type PiHomeOptions,
  type PiRun,
  type PiVersion,
  type Play,
  piVersions,
  preparePi,
  type Script,
  type ScriptedModel,
  startScriptedModel,
  wireFormats,
} from "@cm/scripted-models/real-pi";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";

/** A play of a Pi with our extension, in a home of its own. */
export interface Stage {
  readonly play: Play;
  readonly run: PiRun;
}

export interface Stages {
  /** A new home with `a.txt`, which says `alpha`. All homes go when the tests are over. */
  open(script: Script, given?: Partial<PiRun>, options?: Partial<PiHomeOptions>): Promise<Stage>;
}

const isCampaign = process.env.CM_CAMPAIGN === "1";

/** All wire formats in a campaign, else the one that most scripts are written for. */
export const formatsNow: readonly (typeof wireFormats)[number][] = isCampaign ? wireFormats : wireFormats.slice(0, 1);

const there = new Map<PiVersion, boolean>();
for (const version of piVersions) there.set(version, await canRunPi(version));

/** Every version in a campaign (`CM_CAMPAIGN=1`), else this one. */
export const versionsFor = (version: PiVersion): readonly PiVersion[] => (isCampaign ? piVersions : [version]);

/**
 * All versions in a campaign, else the newest, or the one that the workspace has where the newest is missing. What every
 * version must be to us is shown on 0.87.1, too: `harness/`, `command/in-rpc`, `compaction/real-compaction`, most of
 * `outages/`.
 */
export const versionsNow: readonly PiVersion[] = versionsFor(there.get("1.5.2") === true ? "1.5.2" : "0.87.1");

/** Tests with a real Pi; where that cannot be had they are left out by name. */
export function withPi(version: PiVersion, title: string, tests: (stages: Stages) => void): void {
  requirement(`Pi ${version}`, () => there.get(version) === true)(`${title} in Pi ${version}`, () => {
    let model: ScriptedModel;
    let pi: PiCommand;
    const removing: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      model = await startScriptedModel();
      pi = await preparePi(version);
    });
    afterAll(async () => {
      for (const remove of removing.splice(0)) await remove();
      await model.close();
    });
    tests({
      async open(script, given = {}, options = {}) {
        const play = model.play(script);
        const home = await createPiHome({ play, files: { "a.txt": "alpha\n" }, ...options });
        removing.push(() => home.remove());
        return { play, run: { pi, home, format: "anthropic-messages", extensions: [extensionPath()], ...given } };
      },
    });
  });
}
