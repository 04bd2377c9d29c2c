// Verifies: issue 8, point 7: a database that somebody else holds stops nothing, and gets everything later.
import { describe, expect, it } from "vitest";
import { openRpc, runPrint } from "../../../../tools/real-pi/real-pi.ts";
import { withPi } from "../support/with-pi.ts";
import { hold } from "./support/holder.ts";
import {
  databaseOf,
  expectManaged,
  expectStored,
  files,
  isAllRight,
  turn,
  untilStatus,
  versionsFor,
} from "./support/outage.ts";

describe.each(versionsFor("1.5.2"))("a database that another process holds", (version) => {
  withPi(version, "while the model works", (stages) => {
    it("stops no request, and has everything when it is let go", async () => {
      const { play, run } = await stages.open([...turn(0, 2), ...turn(2, 6)]);
      await run.home.write(files);
      const rpc = await openRpc(run);
      await rpc.prompt("first");
      const holder = hold(databaseOf(run.home));

      await rpc.prompt("second");

      expect(rpc.status("cm")).toMatch(/ \d steps? not written · database away: /);
      holder.letGo();
      await untilStatus(rpc, "that all is right", isAllRight);
      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
      expectManaged(play);
      await expectStored(run.home, 6);
    });

    it("is filled in at the next start where Pi is killed before it is let go", async () => {
      const { play, run } = await stages.open([...turn(0, 1), ...turn(1, 4)]);
      await run.home.write(files);
      const rpc = await openRpc(run);
      await rpc.prompt("first");
      const holder = hold(databaseOf(run.home));
      await rpc.prompt("second");
      expect(rpc.status("cm")).toMatch(/database away/);
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
