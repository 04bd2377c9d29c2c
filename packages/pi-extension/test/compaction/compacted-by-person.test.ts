// Verifies: decision 78: `/compact` makes the prompt smaller, and a Pi without us goes on from the entry that it writes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
} from "../../../../tools/real-pi/real-pi.ts";
import { requirement } from "../../../../tools/requirement.ts";
import { compactions, reads, stage } from "./support/stage.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

const timeout = 180_000;
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

describe.each(piVersions)("Pi %s", (version) => {
  const pi = requirement(`Pi ${version}`, () => there.get(version) === true);

  pi("a session that read much, with /compact", () => {
    const script: Script = [
      ...names.map(reads),
      { text: "All read." },
      { text: "Compacted." },
      { text: "On without." },
    ];

    it("sends less, and leaves an entry that a Pi without us goes on from", { timeout }, async () => {
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

      console.log(
        rpc.notices,
        version,
        sizeOf(before),
        result.tokensBefore,
        sizeOf(after),
        sizeOf(off),
        sizeOf(removed),
      );
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
  });
});
