// @module-tag pi
// Verifies: SSOT 5.12: in a real Pi what is protected stays while the rest folds, also when the session is resumed.
import { checkStructure, openRpc, type ScriptedAnswer } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { resultsIn, textOf } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const files = { "rules.md": textOf("rule"), "a.txt": textOf("alpha"), "b.txt": textOf("beta") };
const reads = (path: string): ScriptedAnswer => ({ calls: [{ name: "read", args: { path } }] });
const script: readonly ScriptedAnswer[] = [
  ...[reads("rules.md"), reads("a.txt"), { text: "Read." }],
  ...[{ text: "Noted." }, { text: "Folded." }],
  ...[reads("b.txt"), { text: "Read, too." }, { text: "Noted." }, { text: "Folded again." }],
];

const folded = /^\[cm: 40 lines of [ab]\.txt left out/;

for (const version of versionsNow) {
  withPi(version, "what a person protects", (stages) => {
    it("stays in full when the rest is folded, here and after resuming, and a line tells of each fold", async () => {
      const { play, run } = await stages.open(script, {}, { files });
      const first = await openRpc(run);
      await first.prompt("Read the rules.");
      await first.command("/cm protect *.md");
      await first.prompt("Wait.");

      await first.command("/cm fold");
      await first.prompt("Go on.");

      expect(resultsIn(play.requests.at(-1))).toEqual([files["rules.md"], expect.stringMatching(folded)]);
      expect(first.notices.at(-2)).toMatch(/^With the next request 1 output will be folded: about [\d,]+ tokens fewer/);
      expect(first.notices.at(-1)).toMatch(/^cm folded 1 output: about [\d,]+ tokens fewer in each request\.$/);
      expect((await first.close()).code).toBe(0);

      const resumed = await openRpc({ ...run, args: ["--continue"] });
      await resumed.command("/cm protect");
      expect(resumed.notices.at(-1)).toContain("  *.md  (in this session)");
      await resumed.prompt("Read the other.");
      await resumed.prompt("Wait.");
      await resumed.command("/cm fold");
      await resumed.prompt("Go on.");

      expect(resultsIn(play.requests.at(-1))).toEqual([
        files["rules.md"],
        expect.stringMatching(folded),
        expect.stringMatching(folded),
      ]);
      expect(resumed.notices.filter((notice) => notice.startsWith("cm folded"))).toHaveLength(1);
      await resumed.command("/cm why a.txt");
      expect(resumed.notices.at(-1)).toMatch(/is folded since .*, 4 requests ago: you asked for it with \/cm fold\./);
      expect((await resumed.close()).code).toBe(0);
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
    });
  });
}
