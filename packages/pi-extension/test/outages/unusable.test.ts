// @module-tag pi
// Verifies: SSOT 5.12: without a database that can be opened the prompt is managed all the same.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { openRpc, runPrint } from "@cm/scripted-models/real-pi";
import { describe, expect, it } from "vitest";
import { versionsNow, withPi } from "../support/with-pi.ts";
import {
  agentFolderOf,
  databaseOf,
  expectManaged,
  expectStored,
  isAllRight,
  openOutage,
  turn,
  untilStatus,
} from "./support/outage.ts";

/** Bytes that no database begins with. */
const garbage = Buffer.from(Array.from({ length: 65_536 }, (_, n) => (n * 31 + (n >> 8)) % 251));

describe.each(versionsNow)("a database that cannot be opened", (version) => {
  withPi(version, "from the start", (stages) => {
    it("is not touched where it is damaged, and the session is filled into the next one", async () => {
      const { play, run } = await openOutage(stages, turn(0, 2));
      mkdirSync(agentFolderOf(run.home));
      writeFileSync(databaseOf(run.home), garbage);
      const rpc = await openRpc(run);

      await rpc.prompt("first");

      expect(rpc.status("cm")).toMatch(/3 steps not written · database damaged: /);
      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
      expect(readFileSync(databaseOf(run.home)).equals(garbage)).toBe(true);

      renameSync(databaseOf(run.home), `${databaseOf(run.home)}.damaged`);
      play.next(turn(2, 3));
      expect((await runPrint({ ...run, args: ["--continue"] }, "second")).stderr).toBe("");
      expectManaged(play);
      await expectStored(run.home, 3);
    });

    it("gets everything once its folder can be made", async () => {
      const { play, run } = await openOutage(stages, [...turn(0, 3), ...turn(3, 4)]);
      writeFileSync(agentFolderOf(run.home), "a file where the folder should be");
      const rpc = await openRpc(run);

      await rpc.prompt("first");

      expect(rpc.status("cm")).toMatch(/4 steps not written · database offline: /);
      rmSync(agentFolderOf(run.home));
      await untilStatus(rpc, "that all is right", isAllRight);
      await rpc.prompt("second");
      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
      expectManaged(play);
      await expectStored(run.home, 4);
    });
  });
});
