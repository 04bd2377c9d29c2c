// @module-tag pi
// Verifies: SSOT 5.12: a session of 104 requests in a real Pi, billed against Pi alone.
import { canRunPi, type ScriptedModel, startScriptedModel } from "@cm/scripted-models/real-pi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { type FilesRead, planSession } from "./planned-session.ts";
import { type PlayedAs, type PlayedSession, playSession } from "./played-session.ts";
import { hundredRequests } from "./session-script.ts";

/** Billed input at most, as a share of what Pi alone is billed. `lean` reached 0.53 with three shorter clocks (decision 122). */
const goals = { careful: 0.65, default: 0.65, lean: 0.56 } as const;

/** Edits whose text stands in the prompt, of those that have it there in Pi alone. */
const shownMin = 0.99;

interface Case extends Omit<PlayedAs, "model" | "preset"> {
  readonly read: FilesRead;
  readonly presets: readonly (keyof typeof goals)[];
}

const formats = ["anthropic-messages", "openai-completions"] as const;
const reads = ["same", "mixed", "new"] as const;
const all: readonly Case[] = reads.flatMap((read) =>
  formats.map((format) => ({ read, format, presets: ["careful", "default", "lean"] as const })),
);
const short: readonly Case[] = [{ read: "mixed", format: "openai-completions", presets: ["default"] }];
const isThere = await canRunPi("0.87.1");

requirement("Pi 0.87.1", () => isThere)("a session of 104 requests in Pi 0.87.1", () => {
  let model: ScriptedModel;
  beforeAll(async () => {
    model = await startScriptedModel();
  });
  afterAll(() => model.close());

  const cases = process.env.CM_CAMPAIGN === "1" ? all : short;
  it.each(cases)(
    "that reads $read files costs a share of Pi alone with $format, and shows what edits replace",
    async (given) => {
      const { read, format, presets } = given;
      const plan = planSession(hundredRequests(), read);
      const [alone, ...managed] = await Promise.all([
        playSession(plan, { model, format }),
        ...presets.map((preset) => playSession(plan, { model, format, preset })),
      ]);

      expect(alone.requests).toHaveLength(104);
      for (const [place, preset] of presets.entries()) {
        const played = managed[place];
        expect(played?.faults).toEqual([]);
        expect((played?.billed ?? Number.NaN) / alone.billed, `billed at ${preset}`).toBeLessThanOrEqual(goals[preset]);
        expect(shownOf(played, alone), `needed text at ${preset}`).toBeGreaterThanOrEqual(shownMin);
      }
      const billed = managed.map((played) => played.billed);
      expect(billed, "the leaner the cheaper").toEqual(billed.toSorted((one, other) => other - one));
    },
  );
});

function shownOf(played: PlayedSession | undefined, alone: PlayedSession): number {
  const inAlone = [...alone.shown].filter(([, isShown]) => isShown).map(([number]) => number);
  return inAlone.filter((number) => played?.shown.get(number) === true).length / inAlone.length;
}
