// @module-tag pi
// Verifies: SSOT 3.6: people learn which files changed while a session was closed, before they ask anything.
import { openRpc } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { resultsIn } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

for (const version of versionsNow)
  withPi(version, "a session that goes on", (stages) => {
    it("says once which files changed meanwhile", async () => {
      const { play, run } = await stages.open([
        { calls: [{ name: "read", args: { path: "a.txt" } }] },
        { text: "It says alpha." },
        { text: "Again." },
      ]);
      const first = await openRpc(run);
      await first.prompt("What does a.txt say?");
      await first.close();
      await run.home.write({ "a.txt": "beta\n" });

      const second = await openRpc({ ...run, args: ["--continue"] });
      const { message } = await second.until("a notice", ({ method }) => method === "notify");
      await second.prompt("And now?");

      expect(message).toMatch(/^Since this session was last open: 1 file changed \(.*a\.txt\)\. The model is told\.$/);
      expect(first.notices).toEqual([]);
      expect(second.notices).toEqual([message]);
      const [told] = resultsIn(play.requests.at(-1));
      expect(told?.split("\n").slice(-5)).toEqual([
        "[cm: found when this session was resumed:]",
        expect.stringMatching(/^\[cm: \S+a\.txt \(f1\) changed: 1 line added, 1 removed\]$/),
        ...["@@ -1,1 +1,1 @@", "-alpha", "+beta"],
      ]);
    });
  });
