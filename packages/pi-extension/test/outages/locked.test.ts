// @module-tag pi
// Verifies: SSOT 5.12: a database that another process holds stops nothing, and gets everything later.
import { extensionPath, openRpc, probePath, runPrint } from "@cm/scripted-models/real-pi";
import { describe, expect, it } from "vitest";
import { storedSessions, toolcalls } from "../support/stored.ts";
import { versionsFor, withPi } from "../support/with-pi.ts";
import { hold, holdWhole } from "./support/holder.ts";
import {
  databaseOf,
  expectManaged,
  expectStored,
  isAllRight,
  openOutage,
  turn,
  untilStatus,
  versionsOfCampaign,
} from "./support/outage.ts";

describe.each(versionsFor("1.5.2"))("a database that another process holds", (version) => {
  withPi(version, "while the model works", (stages) => {
    it("stops no request and no tool of ours, and has everything when it is let go", async () => {
      const pins = { calls: [{ name: "cm_context", args: { action: "pin", ids: ["t3"] } }] };
      const { play, run } = await openOutage(stages, [
        ...turn(0, 2),
        ...turn(2, 5).slice(0, -1),
        pins,
        { text: "pinned" },
      ]);
      const rpc = await openRpc(run);
      await rpc.prompt("first");
      const holder = hold(databaseOf(run.home));

      await rpc.prompt("second");

      expect(rpc.status("cm")).toMatch(/ \d steps? not written · database offline: /);
      holder.letGo();
      await untilStatus(rpc, "that all is right", isAllRight);
      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
      expectManaged(play);
      await expectStored(run.home, 5);
      const [session] = await storedSessions(run.home);
      const calls = await toolcalls(run.home, session?.head ?? { session: "", n: 0 });
      expect(calls.filter(({ pinned }) => pinned).map(({ alias }) => alias)).toEqual(["t3"]);
    });

    it("is filled in at the next start where Pi is killed before it is let go", async () => {
      const { play, run } = await openOutage(stages, [...turn(0, 1), ...turn(1, 4)]);
      const rpc = await openRpc(run);
      await rpc.prompt("first");
      const holder = hold(databaseOf(run.home));
      await rpc.prompt("second");
      expect(rpc.status("cm")).toMatch(/database offline/);
      await rpc.kill();
      holder.letGo();

      play.next(turn(4, 5));
      const end = await runPrint({ ...run, args: ["--continue"] }, "third");

      expect([end.code, end.stderr]).toEqual([0, ""]);
      expectManaged(play);
      await expectStored(run.home, 5);
    });
  });
});

describe.each(versionsOfCampaign)("a database that another process holds, and more", (version) => {
  withPi(version, "while the model works", (stages) => {
    it("is filled in where it was unreadable from the start", async () => {
      const { play, run } = await openOutage(stages, turn(0, 1));
      await runPrint(run, "first");
      const holder = holdWhole(databaseOf(run.home));

      play.next(turn(1, 3));
      const rpc = await openRpc({ ...run, args: ["--continue"] });
      await rpc.prompt("second");

      expect(rpc.status("cm")).toMatch(/5 steps not written · database offline: /);
      holder.letGo();
      await untilStatus(rpc, "that all is right", isAllRight);
      await rpc.close();
      expectManaged(play);
      await expectStored(run.home, 3);
    });

    it("has the branch that people went to meanwhile", async () => {
      const { play, run } = await openOutage(stages, [...turn(0, 2), ...turn(2, 3), ...turn(2, 4)]);
      const rpc = await openRpc({ ...run, extensions: [extensionPath(), probePath] });
      await rpc.prompt("first");
      await rpc.prompt("second");
      const messages = (await run.home.sessionEntries()).filter(({ type }) => type === "message");
      const holder = hold(databaseOf(run.home));

      await rpc.command(`/probe-tree ${messages[5]?.id}`);
      await rpc.prompt("elsewhere");

      expect(rpc.status("cm")).toMatch(/not written · database offline: /);
      holder.letGo();
      await untilStatus(rpc, "that all is right", isAllRight);
      await rpc.close();
      expectManaged(play);
      await expectStored(run.home, 4);
    });
  });
});
