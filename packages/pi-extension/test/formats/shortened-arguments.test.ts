// @module-tag pi
// Verifies: SSOT 4.4 (8): where arguments of a past turn are shortened their thinking leaves the prompt, and every wire format
// takes what is left; nothing of it happens in the current turn.

import {
  canRunPi,
  checkStructure,
  createPiHome,
  extensionPath,
  type PiVersion,
  piVersions,
  preparePi,
  runPrint,
  type ScriptedAnswer,
  type ScriptedModel,
  type SentBlock,
  startScriptedModel,
} from "@cm/scripted-models/real-pi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { findings } from "../support/stored.ts";
import { formatsNow, versionsNow } from "../support/with-pi.ts";

const there = new Map<PiVersion, boolean>();
for (const version of piVersions) there.set(version, await canRunPi(version));

const bash = (command: string) => ({ name: "bash", args: { command } });
const first = { thinking: "A long command.", text: "I run it.", calls: [bash(`: ${"x".repeat(9_000)}`)] };
const second = { thinking: "Another one.", calls: [bash(`: ${"y".repeat(1_500)}`)] };
const small: readonly ScriptedAnswer[] = Array.from({ length: 14 }, (_, call) => ({ calls: [bash(`true ${call}`)] }));
const script: readonly ScriptedAnswer[] = [first, { text: "Done." }, second, ...small, { text: "Done again." }];

for (const version of versionsNow) {
  const withPi = requirement(`Pi ${version}`, () => there.get(version) === true);
  withPi(`long arguments beside thinking, in Pi ${version}`, () => {
    let model: ScriptedModel;
    beforeAll(async () => {
      model = await startScriptedModel();
    });
    afterAll(() => model.close());

    it.concurrent.each(formatsNow)(
      "are shortened in a past turn over %s, and whole in the current one",
      async (format) => {
        const play = model.play(script);
        const home = await createPiHome({ play });
        const run = { pi: await preparePi(version), home, format, extensions: [extensionPath()] };

        const end = await runPrint(run, "Run it.", "And now this.");

        expect([end.code, end.stderr]).toEqual([0, ""]);
        expect(play.requests).toHaveLength(script.length);
        expect([play.requests.flatMap(checkStructure), play.unreadable, play.beyond]).toEqual([[], [], 0]);
        const blocks = play.requests.at(-1)?.sent.messages.flatMap((message) => message.blocks) ?? [];
        const [past = Number.NaN, current] = argsChars(blocks);
        expect(past).toBeLessThan(200);
        expect(current).toBe(JSON.stringify(second.calls[0]?.args).length);
        const thoughts = blocks.flatMap((block) => (block.kind === "thinking" ? [block.text] : []));
        expect(thoughts).toEqual([second.thinking]);
        expect(await findings(home)).toEqual([]);
        await home.remove();
      },
    );
  });
}

const argsChars = (blocks: readonly SentBlock[]): readonly number[] =>
  blocks.flatMap((block) => (block.kind === "call" ? [block.args.length] : []));
