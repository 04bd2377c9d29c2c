// @module-tag pi
// Verifies: SSOT 5.12, decision 78: in a real Pi prompts fit what the provider takes, and a compaction that Pi asks
// for costs one request at most and fails nothing.

import {
  type CapturedRequest,
  canRunPi,
  checkStructure,
  openRpc,
  type PiVersion,
  piVersions,
  promptText,
  runPrint,
  type Script,
  type ScriptedModel,
  startScriptedModel,
  wireFormats,
} from "@cm/scripted-models/real-pi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { compactions, reads, type StageOptions, stage as stageOn } from "./support/stage.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

const campaign = process.env.CM_CAMPAIGN === "1";
const versions: readonly PiVersion[] = campaign ? piVersions : ["0.87.1"];
const there = new Map<PiVersion, boolean>();
for (const version of versions) there.set(version, await canRunPi(version));
const withPi = (version: PiVersion) => requirement(`Pi ${version}`, () => there.get(version) === true);

const names = Array.from({ length: 12 }, (_, place) => `file${place}.txt`);
/** About 4,000 tokens each. */
const files = Object.fromEntries(names.map((name) => [name, `${name} says something of its own.\n`.repeat(480)]));
/** 40,000 tokens, of which Pi keeps 8,000 free. */
const window = { contextWindow: 40_000, maxTokens: 4_096 };
const settings = { compaction: { enabled: true, reserveTokens: 8_000, keepRecentTokens: 4_000 } };

const stage = (script: Script, options: StageOptions = {}) => stageOn(model, script, { files, settings, ...options });

const sizeOf = ({ tokens }: CapturedRequest): number => tokens.input + tokens.cacheRead + tokens.cacheWrite;

withPi("0.87.1")("a session that outgrows the model's window", () => {
  const script = [...names.map(reads), { text: "All read." }];

  it.each(campaign ? (["anthropic-messages"] as const) : [])(
    "is compacted by Pi alone, at the price of a summary: %s",
    async (format) => {
      const { play, home, run } = await stage(script, { ...window, format, extensions: [] });

      await runPrint(run, "Read all files.");

      expect(play.apart).not.toEqual([]);
      await home.remove();
    },
  );

  it.each(campaign ? wireFormats : [])("stays within it, and Pi finds nothing to compact: %s", async (format) => {
    const { play, home, run } = await stage(script, { ...window, format });

    const { stdout } = await runPrint(run, "Read all files.");

    expect(stdout).toContain("All read.");
    expect(play.apart).toEqual([]);
    expect(play.requests.map(sizeOf).filter((tokens) => tokens > 32_000)).toEqual([]);
    expect(play.requests.flatMap(checkStructure)).toEqual([]);
    expect(await compactions(home)).toEqual([]);
    await home.remove();
  });

  it("is compacted for one summary each where the provider counts no tokens, and loses nothing by it", async () => {
    const uncounted = script.map((answer) => ({ ...answer, usage: "none" as const }));
    const { play, home, run } = await stage(uncounted, { ...window, format: "openai-completions" });

    const { stdout } = await runPrint(run, "Read all files.");

    expect(stdout).toContain("All read.");
    expect(await compactions(home)).not.toEqual([]);
    expect(play.apart).toHaveLength((await compactions(home)).length);
    const last = play.requests.at(-1)?.sent.messages ?? [];
    expect(last.filter(({ role }) => role === "assistant")).toHaveLength(names.length);
    expect(JSON.stringify(last)).not.toContain("A summary by the scripted model.");
    expect(play.requests.flatMap(checkStructure)).toEqual([]);
    await home.remove();
  });
});

describe.each(versions)("Pi %s", (version) => {
  withPi(version)("with our compaction", () => {
    it("goes on smaller after a refusal and after /compact", async () => {
      const script: Script = [
        ...names.map(reads),
        { error: "overflow" },
        { text: "All read." },
        { text: "On." },
        { text: "Done." },
      ];
      const { play, home, run } = await stage(script, { version, settings });
      const rpc = await openRpc(run);

      await rpc.prompt("Read all files.");
      await rpc.prompt("Go on.");
      const { summary } = await rpc.ask("compact", { customInstructions: "Only the files" });
      await rpc.prompt("And on.");
      await rpc.close();

      const [refused = 0, retried = 0, next = 0, compacted = 0] = play.requests.slice(-4).map(sizeOf);
      expect(play.requests).toHaveLength(names.length + 4);
      expect(retried).toBeLessThan(refused * 0.7);
      expect(next).toBeLessThan(refused * 0.9);
      expect(compacted).toBeLessThan(next * 0.8);
      expect(summary).toContain("A summary by the scripted model.");
      expect(summary).toContain("* Read all files.");
      expect(summary).toMatch(/\* read: file11\.txt \(f\d+\)/);
      expect(play.apart).toHaveLength(2);
      expect(promptText(play.apart[1]?.sent ?? expect.fail())).toContain("above all: Only the files");
      expect(await compactions(home)).toMatchObject([{ details: { cm: 1 } }, { fromHook: true, details: { cm: 1 } }]);
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      expect(rpc.extensionErrors).toEqual([]);
      await home.remove();
    });

    it("goes on after a refusal though no summary can be had", async () => {
      const script: Script = [...names.map(reads), { error: "overflow" }, { text: "All read." }];
      const apart = { error: { status: 400, body: "no summaries here" } } as const;
      const { play, home, run } = await stage(script, { version, apart });
      const rpc = await openRpc(run);

      await rpc.prompt("Read all files.");
      await rpc.close();

      const [refused = 0, retried = 0] = play.requests.slice(-2).map(sizeOf);
      expect(retried).toBeLessThan(refused * 0.7);
      expect(play.apart).toHaveLength(1);
      const [entry] = await compactions(home);
      expect(entry).toMatchObject({ details: { cm: 1 }, summary: expect.stringContaining("* Read all files.") });
      expect(rpc.notices.join("\n")).toContain("The model gave no summary (");
      expect(Number(entry?.tokensBefore)).toBeGreaterThan(refused * 0.9);
      expect(Number(entry?.tokensBefore)).toBeLessThan(refused * 1.2);
      await home.remove();
    });

    it.each(campaign ? ["/tree"] : [])("asks no model for the summary of a branch that %s leaves", async () => {
      const script: Script = [reads("file0.txt"), { text: "One." }, { text: "Two." }, { text: "Three." }];
      const { play, home, run } = await stage(script, { version });
      const rpc = await openRpc(run);
      await rpc.prompt("First.");
      const first = (await home.sessionEntries()).find(({ type, message }) => type === "message" && isAnswer(message));
      await rpc.prompt("Second, which is left.");

      await rpc.command(`/probe-tree ${String(first?.id)} summary`);
      await rpc.prompt("Third.");
      await rpc.close();

      const shown = JSON.stringify(play.requests.at(-1)?.body);
      expect(play.apart).toEqual([]);
      expect(shown).toContain("Second, which is left.");
      expect(shown).toContain("summary of a branch");
      await home.remove();
    });
  });
});

const isAnswer = (message: unknown): boolean => JSON.stringify(message ?? "").includes('"text":"One."');
