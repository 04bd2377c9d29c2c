// @module-tag pi
// Verifies: what a model says and what its calls give pass over every wire format as a provider takes it: signed thinking,
// pictures, parallel and failing calls, ids that come again, empty outputs, and texts that look like our own lines.

import {
  canRunPi,
  checkStructure,
  createPiHome,
  extensionPath,
  type PiVersion,
  piVersions,
  preparePi,
  runPrint,
  type ScriptedModel,
  type SentBlock,
  startScriptedModel,
} from "@cm/scripted-models/real-pi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { findings } from "../support/stored.ts";
import { formatsNow, versionsNow } from "../support/with-pi.ts";
import { files, pictureOf, prompts, script } from "./hostile-script.ts";

const there = new Map<PiVersion, boolean>();
for (const version of piVersions) there.set(version, await canRunPi(version));

for (const version of versionsNow) {
  const withPi = requirement(`Pi ${version}`, () => there.get(version) === true);
  withPi(`what a conversation holds, in Pi ${version}`, () => {
    let model: ScriptedModel;
    beforeAll(async () => {
      model = await startScriptedModel();
    });
    afterAll(() => model.close());

    it.concurrent.each(formatsNow)("passes over %s as it is", async (format) => {
      const play = model.play(script);
      const home = await createPiHome({ play, files });
      const run = { pi: await preparePi(version), home, format, extensions: [extensionPath()], args: ["@dot.png"] };

      const end = await runPrint(run, ...prompts);

      expect([end.code, end.stderr]).toEqual([0, ""]);
      expect(play.requests).toHaveLength(script.length);
      const wrong = play.requests.flatMap(checkStructure).filter((sentence) => !sentence.endsWith(idAgain));
      expect([wrong, play.unreadable, play.beyond]).toEqual([[], [], 0]);
      const blocks = play.requests.at(-1)?.sent.messages.flatMap((message) => message.blocks) ?? [];
      const outputs = blocks.flatMap((block) => (block.kind === "result" ? [block.text] : []));
      for (const name of ["hostile.txt", "unicode.txt"] as const) {
        expect(outputs.filter((text) => text.includes(escaped(files[name])))).not.toEqual([]);
      }
      expect(argsOf(blocks)).toEqual(argsOf(given()));
      expect(JSON.stringify(blocks).split(pictureOf("dot.png")).length).toBe(3);
      const said = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
      for (const prompt of prompts) expect(said).toContain(prompt);
      expect(await findings(home)).toEqual([]);
      await home.remove();
    });
  });
}

/** The model itself gave the id twice; Pi alone sends it so, too. */
const idAgain = "has a call with an id that was there already: call_same.";

/** A line that would pass for one of ours gets a stroke before it. */
const escaped = (text: string): string => text.replace(/^(?=\\*\[cm:)/gm, "\\");

const argsOf = (blocks: readonly SentBlock[]) =>
  blocks.flatMap((block) => (block.kind === "call" ? [[block.name, JSON.parse(block.args)]] : []));

const given = (): readonly SentBlock[] =>
  script.flatMap(({ calls = [] }) =>
    calls.map(({ name, args }) => ({ kind: "call" as const, id: "", name, args: JSON.stringify(args) })),
  );
