// @module-tag pi

import { checkStructure, openRpc, runPrint } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { readsTwice, sameAsBefore } from "../support/repeated-reads.ts";
import { findings, links, storedSessions, toolcalls } from "../support/stored.ts";
import { resultsIn, shownText, textOf } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const reads = (path: string) => ({ calls: [{ name: "read", args: { path } }] });
const files = { "a.ts": textOf("alpha") };

for (const version of versionsNow) {
  withPi(version, "a session", (stages) => {
    it("goes on after kill -9 in mid tool: the call without a result is a failed one without text", async () => {
      const sleeps = { calls: [{ name: "bash", args: { command: "echo begun > begun; sleep 600" } }] };
      const { play, run } = await stages.open([reads("a.ts"), sleeps]);
      const { home } = run;
      await home.write(files);
      const rpc = await openRpc(run);
      await rpc.start("first");
      await rpc.until(
        "the command to run",
        ({ type, toolName }) => type === "tool_execution_start" && toolName === "bash",
      );
      await rpc.kill();

      play.next([{ text: "done" }]);
      await runPrint({ ...run, args: ["--continue"] }, "go on");

      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      expect(shownText(play.requests[2])).toContain("alpha line 3");
      const [session, ...others] = await storedSessions(home);
      expect(others).toEqual([]);
      const calls = await toolcalls(home, session?.head ?? { session: "", n: 0 });
      expect(calls.map(({ tool, status, text }) => [tool, status, text === null])).toEqual([
        ["read", "ok", false],
        ["bash", "fail", true],
      ]);
      expect(await findings(home)).toEqual([]);
    });

    it("is filled in where the extension comes to a session that is there already", async () => {
      const { play, run } = await stages.open([reads("a.ts"), { text: "one" }]);
      const { home } = run;
      await home.write(files);
      await runPrint({ ...run, extensions: [] }, "first");

      play.next([{ calls: [{ name: "cm_context", args: { action: "list" } }] }, { text: "two" }]);
      await runPrint({ ...run, args: ["--continue"] }, "second");

      expect(play.requests.flatMap(checkStructure)).toEqual([]);
      expect(shownText(play.requests[3])).toMatch(/t1 read a\.ts: 40 lines/);
      expect((await storedSessions(home)).map(({ steps }) => steps)).toEqual([4]);
      expect((await links(home)).at(-1)?.n).toBe(3);
    });

    it("runs without a session file, too", async () => {
      const { play, run } = await stages.open([...readsTwice("a.ts"), { text: "one" }]);
      const { home } = run;
      await home.write(files);

      const end = await runPrint({ ...run, args: ["--no-session"] }, "first");

      expect([end.code, end.stdout.trim(), end.stderr]).toEqual([0, "one", ""]);
      expect(resultsIn(play.requests.at(-1))).toEqual([files["a.ts"], expect.stringMatching(sameAsBefore)]);
      expect((await storedSessions(home)).map(({ steps }) => steps)).toEqual([3]);
    });
  });
}
