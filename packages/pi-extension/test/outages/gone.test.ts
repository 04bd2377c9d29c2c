// @module-tag pi
// Verifies: SSOT 5.12: a database whose file is deleted under a running Pi is made anew, with all of the session.
import { existsSync, rmSync } from "node:fs";
import { openRpc } from "@cm/scripted-models/real-pi";
import { describe, expect, it } from "vitest";
import { versionsFor, withPi } from "../support/with-pi.ts";
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

describe.each(versionsFor("0.87.1"))("a database that is deleted", (version) => {
  withPi(version, "with its folder while Pi runs", (stages) => {
    it("is made anew with the whole session", async () => {
      const { play, run } = await openOutage(stages, [...turn(0, 2), ...turn(2, 4), ...turn(4, 5)]);
      const rpc = await openRpc(run);
      await rpc.prompt("first");
      rmSync(agentFolderOf(run.home), { recursive: true });

      await rpc.prompt("second");
      await rpc.prompt("third");

      await untilStatus(rpc, "that all is right", isAllRight);
      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
      expect(existsSync(databaseOf(run.home))).toBe(true);
      expectManaged(play);
      await expectStored(run.home, 5);
    });
  });
});
