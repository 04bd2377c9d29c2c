// @module-tag pi
// @module-tag long
// Verifies: decision 78: `/compact` makes the prompt smaller, and a Pi without us goes on from the entry that it writes.

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
} from "@cm/scripted-models/real-pi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inCampaign } from "../../../../tools/in-campaign.ts";
import { requirement } from "../../../../tools/requirement.ts";
import { versionsNow } from "../support/with-pi.ts";
import { compactions, reads, stage } from "./support/stage.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

const there = new Map<PiVersion, boolean>();
for (const version of piVersions) there.set(version, await canRunPi(version));

/** As Pi asks for it. */
const summary = [
  "## Goal\nMend the parser.",
  "## Progress\n### Done\n- [x] Read all files.\n### In Progress\n- [ ] Comments.",
  "## Key Decisions\n- **Comments are tokens**: the printer needs them.",
  "## Next Steps\n1. Teach the lexer to keep comments.",
].join("\n\n");
const decided = "Comments are tokens";
const open = "Teach the lexer to keep comments.";

/** About 4,000 tokens each. */
const names = Array.from({ length: 12 }, (_, place) => `file${place}.txt`);
const files = Object.fromEntries(names.map((name) => [name, `${name} says something of its own.\n`.repeat(480)]));

const sizeOf = ({ tokens }: CapturedRequest): number => tokens.input + tokens.cacheRead + tokens.cacheWrite;
const bytesOf = ({ body }: CapturedRequest): number => Buffer.byteLength(JSON.stringify(body));
const last = <T>(list: readonly T[]): T => {
  const end = list.at(-1);
  if (end === undefined) throw new Error("The list is empty.");
  return end;
};

// The other one in a campaign.
describe.each(versionsNow)("Pi %s", (version) => {
  const pi = requirement(`Pi ${version}`, () => there.get(version) === true);

  pi("a session that read much, with /compact", () => {
    const script: Script = [
      ...names.map(reads),
      { text: "All read." },
      { text: "Compacted." },
      { text: "On without." },
    ];

    it("sends less, and leaves an entry that a Pi without us goes on from", async () => {
      const { play, home, run } = await stage(model, script, { version, files, apart: { text: summary } });
      const rpc = await openRpc(run);

      await rpc.prompt("Read all files.");
      const before = last(play.requests);
      const result = await rpc.ask("compact", {});
      await rpc.prompt("Go on.");
      const after = last(play.requests);
      await rpc.command("/cm off");
      await rpc.prompt("Go on without.");
      const off = last(play.requests);
      await rpc.close();
      play.next([{ text: "From Pi's file." }]);
      await runPrint({ ...run, extensions: [], args: ["--continue"] }, "And now?");
      const removed = last(play.requests);

      expect(bytesOf(after)).toBeLessThan(bytesOf(before) * 0.6);
      expect(play.apart).toHaveLength(1);
      expect(result.tokensBefore).toBeGreaterThanOrEqual(sizeOf(before));
      expect(result.tokensBefore).toBeLessThan(sizeOf(before) + 100);
      expect(promptText(after.sent)).not.toContain(decided);
      for (const request of [off, removed]) {
        expect(promptText(request.sent)).toContain(decided);
        expect(promptText(request.sent)).toContain(open);
      }
      const [entry] = await compactions(home);
      expect(entry).toMatchObject({ fromHook: true, details: { cm: 1 }, usage: { output: expect.any(Number) } });
      expect(entry?.summary).toContain(summary);
      expect(entry?.summary).toContain("* Read all files.");
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      expect(rpc.extensionErrors).toEqual([]);
      await home.remove();
    });

    inCampaign("sends no more than Pi alone does after the same", async () => {
      const sizes: number[] = [];
      for (const extensions of [undefined, []]) {
        const options = { version, files, apart: { text: summary }, ...(extensions && { extensions }) };
        const { play, home, run } = await stage(model, script, options);
        const rpc = await openRpc(run);
        await rpc.prompt("Read all files.");
        await rpc.ask("compact", {});
        await rpc.prompt("Go on.");
        await rpc.close();
        sizes.push(sizeOf(last(play.requests)));
        await home.remove();
      }

      const [withUs = 0, alone = 0] = sizes;
      expect(withUs).toBeLessThan(alone * 1.1);
    });

    it("keeps its word in a process that takes the session up, and until the request is answered", async () => {
      const { play, home, run } = await stage(model, script, { version, files, apart: { text: summary } });
      const rpc = await openRpc(run);
      await rpc.prompt("Read all files.");
      const before = last(play.requests);
      await rpc.ask("compact", {});
      await rpc.close();
      play.next([{ error: { status: 400, body: "try again" } }, { text: "On." }]);

      await runPrint({ ...run, args: ["--continue"] }, "Go on.");
      await runPrint({ ...run, args: ["--continue"] }, "Again.");

      const [refused = 0, answered = 0] = play.requests.slice(-2).map(bytesOf);
      expect(refused).toBeLessThan(bytesOf(before) * 0.6);
      expect(answered).toBeLessThan(bytesOf(before) * 0.6);
      await home.remove();
    });

    // In every run after a refusal: `real-compaction`.
    inCampaign("is summed up without a model where that gives none, and says so", async () => {
      const apart = { error: { status: 400, body: "no summaries here" } } as const;
      const { play, home, run } = await stage(model, script, { version, files, apart });
      const rpc = await openRpc(run);

      await rpc.prompt("Read all files.");
      const { summary: written } = await rpc.ask("compact", {});
      await rpc.prompt("Go on.");
      await rpc.close();

      expect(written).toContain("* read: file11.txt");
      expect(rpc.notices.join("\n")).toContain("The model gave no summary (");
      expect(bytesOf(last(play.requests))).toBeLessThan(bytesOf(last(play.requests.slice(0, -1))) * 0.6);
      await home.remove();
    });
  });

  pi("a session that talked much, with /compact", () => {
    const talk = Array.from({ length: 12 }, (_, place) => `${place} says something of its own. `.repeat(300));
    const script: Script = [...talk.map((text) => ({ text, thinking: "so ".repeat(1_000) })), { text: "On." }];

    it("shortens what was said first, and tells the model what it was about", async () => {
      const { play, home, run } = await stage(model, script, { version, apart: { text: summary } });
      const rpc = await openRpc(run);

      for (const [place] of talk.entries()) await rpc.prompt(`Question ${place}`);
      const before = last(play.requests);
      await rpc.ask("compact", {});
      await rpc.prompt("Go on.");
      const after = last(play.requests);
      await rpc.close();

      const text = promptText(after.sent);
      expect(sizeOf(after)).toBeLessThan(sizeOf(before) * 0.9);
      expect(sizeOf(after)).toBeLessThan(24_000);
      expect(text).toContain(decided);
      expect(text).toContain(talk.at(-1));
      expect(text).not.toContain(talk[0]);
      for (const [place] of talk.entries()) expect(text).toContain(`Question ${place}`);
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      await home.remove();
    });

    inCampaign("is left as it is, for nothing, where what stays is all that there is", async () => {
      const short = talk.slice(0, 4);
      const settings = { compaction: { enabled: true, reserveTokens: 16_384, keepRecentTokens: 8_000 } };
      const told = [...short.map((text) => ({ text })), { text: "On." }];
      const { play, home, run } = await stage(model, told, { version, settings });
      const rpc = await openRpc(run);

      for (const [place] of short.entries()) await rpc.prompt(`Question ${place}`);
      const refused = await rpc.ask("compact", {}).catch(String);
      await rpc.prompt("Go on.");
      await rpc.close();

      expect(refused).toContain("Compaction cancelled");
      expect(rpc.notices.join("\n")).toMatch(/^Nothing to compact: /m);
      expect(play.apart).toEqual([]);
      expect(await compactions(home)).toEqual([]);
      expect(promptText(last(play.requests).sent)).toContain(short[0]);
      await home.remove();
    });
  });
});
