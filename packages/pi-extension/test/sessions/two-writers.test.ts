// @module-tag pi
// Verifies: SSOT 3.7, decision 96: two Pis on one session both go on, and the branch leads to the fork of the second.
import { checkStructure, openRpc, runPrint } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { findings, links, storedSessions } from "../support/stored.ts";
import { shownText } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

for (const version of versionsNow)
  withPi(version, "a session that two write", (stages) => {
    it("goes on in a fork in the one that comes later, says so, and is found again there", async () => {
      const said = ["Begun.", "By the second.", "By the first.", "Again."].map((text) => ({ text }));
      const { play, run } = await stages.open(said);
      const { home } = run;
      const first = await openRpc(run);
      await first.prompt("begin");
      await expect.poll(() => links(home).then((all) => all.at(-1))).toMatchObject({ n: 0 });
      const second = await openRpc({ ...run, args: ["--continue"] });
      await second.prompt("from the second");
      await expect.poll(() => links(home).then((all) => all.at(-1))).toMatchObject({ n: 1 });

      await first.prompt("from the first");
      const { message } = await first.until("a notice", ({ method }) => method === "notify");

      const [session, fork, ...others] = await storedSessions(home);
      expect(others).toEqual([]);
      expect([session?.steps, fork?.steps]).toEqual([2, 2]);
      expect(fork?.forkedFrom).toEqual({ session: session?.session, n: 0 });
      expect(second.notices).toEqual([]);
      expect(message).toBe(
        `Another program went on with Context Manager's session ${session?.session}. This one goes on as ${fork?.session}; nothing is lost of either.`,
      );
      expect((await links(home)).at(-1)).toMatchObject({ session: fork?.session, n: 0 });
      expect(shownText(play.requests[2])).not.toContain("from the second");
      await second.close();
      await first.close();

      await runPrint({ ...run, args: ["--continue"] }, "go on");

      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      const now = await storedSessions(home);
      expect(now.map(({ session: name, steps }) => [name, steps])).toEqual([
        [session?.session, 2],
        [fork?.session, 3],
      ]);
      expect(await findings(home)).toEqual([]);
    });
  });
