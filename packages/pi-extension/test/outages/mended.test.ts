// @module-tag pi
// @module-tag long
// Verifies: SSOT 5.12: what we keep is for its owner alone, and a database that cannot be used is told apart from one
// that is only offline, and begun anew on request.
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openRpc, runPrint } from "@cm/scripted-models/real-pi";
import { describe, expect, it } from "vitest";
import { inCampaign } from "../../../../tools/in-campaign.ts";
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

const garbage = Buffer.from(Array.from({ length: 65_536 }, (_, n) => (n * 31 + (n >> 8)) % 251));

const modesIn = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)] as const);

describe.each(versionsNow)("files of ours", (version) => {
  withPi(version, "a database", (stages) => {
    it("is for its owner alone, with all that lies beside it, also where it was not", async () => {
      const { run } = await openOutage(stages, turn(0, 1));
      const folder = agentFolderOf(run.home);
      mkdirSync(folder);
      writeFileSync(join(folder, "settings.json"), "{}");
      for (const name of ["objects.sqlite", "file-states.sqlite"]) writeFileSync(join(folder, name), "");
      for (const { name } of [{ name: "settings.json" }, { name: "objects.sqlite" }, { name: "file-states.sqlite" }]) {
        chmodSync(join(folder, name), 0o666);
      }
      chmodSync(folder, 0o777);
      const rpc = await openRpc(run);
      await rpc.prompt("first");

      const names = ["", "-shm", "-wal"];
      const expected = ["file-states.sqlite", "objects.sqlite"].flatMap((name) =>
        names.map((each) => `${name}${each}`),
      );
      expect(modesIn(folder)).toEqual([...expected, "settings.json"].map((name) => [name, "600"]));
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      await rpc.close();
    });

    inCampaign("of a newer version is left as it is, and people are told to update", async () => {
      const { play, run } = await openOutage(stages, [...turn(0, 1), ...turn(1, 2)]);
      await runPrint(run, "first");
      const newer = new DatabaseSync(databaseOf(run.home));
      newer.exec("PRAGMA user_version = 99");
      newer.close();

      const rpc = await openRpc({ ...run, args: ["--continue"] });
      await rpc.prompt("second");
      await rpc.command("/cm doctor");
      const doctor = rpc.notices.at(-1) ?? "";

      expect(doctor).toMatch(/^bad +health +made by a newer version: .*\n +Run pi update npm:@cm\/pi-extension\./m);
      expect(doctor).not.toMatch(/by itself|when (the store|it) answers|again later/);
      await rpc.command("/cm doctor fix store");
      expect(rpc.notices.at(-1)).toContain("The database is not damaged, so it stays where it is.");
      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
      expectManaged(play);
    });

    // In every run one that can be opened, below.
    inCampaign("that is damaged is moved aside on request, and the session filled into a new one", async () => {
      const { play, run } = await openOutage(stages, [...turn(0, 3), ...turn(3, 4)]);
      mkdirSync(agentFolderOf(run.home));
      writeFileSync(databaseOf(run.home), garbage);
      const rpc = await openRpc(run);
      await rpc.prompt("first");
      await rpc.command("/cm doctor");
      expect(rpc.notices.at(-1)).toMatch(
        /^bad +health +damaged: .*\n.*\/cm doctor fix store: it moves the database aside/m,
      );

      await rpc.command("/cm doctor fix store");

      expect(rpc.notices.at(-1)).toMatch(/^The damaged database was moved to .*; nothing was deleted\./);
      await rpc.prompt("second");
      await untilStatus(rpc, "that all is right", isAllRight);
      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
      const [aside = ""] = readdirSync(agentFolderOf(run.home)).filter((name) => name.includes(".damaged-"));
      expect(readFileSync(join(agentFolderOf(run.home), aside)).equals(garbage)).toBe(true);
      expectManaged(play);
      await expectStored(run.home, 4);
    });

    it("that is damaged within is closed before it is moved, so that nothing of the new one is lost", async () => {
      const { play, run } = await openOutage(stages, [...turn(0, 2), ...turn(2, 3), ...turn(3, 4)]);
      await runPrint(run, "first");
      const database = openSync(databaseOf(run.home), "r+");
      // All pages but the first, which says that this is a database of ours.
      writeSync(database, garbage, 0, garbage.length, 4_096);
      closeSync(database);
      const rpc = await openRpc({ ...run, args: ["--continue"] });
      await rpc.prompt("second");
      await rpc.command("/cm doctor");
      expect(rpc.notices.at(-1)).toMatch(/^bad +health +damaged: /m);

      await rpc.command("/cm doctor fix store");
      await rpc.prompt("third");
      await untilStatus(rpc, "that all is right", isAllRight);

      expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
      expectManaged(play);
      await expectStored(run.home, 4);
    });
  });
});
