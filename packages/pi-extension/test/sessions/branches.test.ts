// @module-tag pi

import { extensionPath, openRpc, type PiHome, probePath } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { findings, links, storedSessions } from "../support/stored.ts";
import { shownText, textOf } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const reads = (path: string) => ({ calls: [{ name: "read", args: { path } }] });
const files = { "a.ts": textOf("alpha"), "b.ts": textOf("beta"), "c.ts": textOf("gamma") };
const given = { extensions: [extensionPath(), probePath] };

for (const version of versionsNow) {
  withPi(version, "a session", (stages) => {
    /** A session that answered its first prompt, and reads another file for each of the next two. */
    const afterFirst = async () => {
      const script = [reads("a.ts"), { text: "one" }, reads("b.ts"), { text: "two" }, reads("c.ts"), { text: "three" }];
      const { play, run } = await stages.open([...script, { text: "four" }], given);
      await run.home.write(files);
      const rpc = await openRpc(run);
      await rpc.prompt("first");
      return { play, home: run.home, rpc };
    };

    it("goes back with /tree and forth again within one session, each branch with its own sets", async () => {
      const { play, home, rpc } = await afterFirst();
      const [first] = await entries(home, "first");
      await rpc.prompt("second");
      const [second] = await entries(home, "second");
      const leaf = (await home.sessionEntries()).at(-1);

      await rpc.command(`/probe-tree ${String(second?.id)}`);
      await rpc.prompt("other second");
      await rpc.command(`/probe-tree ${String(leaf?.id)}`);
      await rpc.prompt("third");
      await rpc.close();

      expect(first).toBeDefined();
      const [other, back] = [play.requests[5], play.requests[6]];
      expect(shownText(other)).toContain("gamma line 3");
      expect(shownText(other)).not.toContain("beta line 3");
      expect(shownText(back)).toContain("beta line 3");
      expect(shownText(back)).not.toContain("gamma line 3");
      const sessions = await storedSessions(home);
      expect(sessions).toHaveLength(1);
      expect(new Set((await links(home)).map(({ session }) => session))).toEqual(new Set([sessions[0]?.session]));
      expect(await findings(home)).toEqual([]);
    });

    it("is forked without copying, and each goes on alone", async () => {
      const { play, home, rpc } = await afterFirst();
      await rpc.prompt("second");
      const [second] = await entries(home, "second");

      await rpc.ask("fork", { entryId: String(second?.id) });
      await rpc.prompt("third");
      const [first] = await entries(home, "first");
      await rpc.command(`/probe-tree ${String(first?.id)}`);
      await rpc.prompt("other first");
      await rpc.close();

      const forked = play.requests[5];
      expect(shownText(forked)).toContain("alpha line 3");
      expect(shownText(forked)).not.toContain("beta line 3");
      expect(shownText(play.requests[6])).not.toContain("alpha line 3");
      const sessions = await storedSessions(home);
      expect(sessions.map(({ steps }) => steps).sort()).toEqual([1, 4]);
      expect(sessions.filter(({ forkedFrom }) => forkedFrom !== undefined)).toHaveLength(1);
      expect(await findings(home)).toEqual([]);
    });
  });
}

async function entries(home: PiHome, text: string) {
  return (await home.sessionEntries()).filter((entry) => JSON.stringify(entry.message ?? "").includes(`"${text}"`));
}
