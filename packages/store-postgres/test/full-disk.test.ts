// @module-tag process
// @module-tag long
// Verifies: SSOT 2.8: on a full disk a commit is refused as a whole, reads go on, and writing goes on when there is room.
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCmError } from "@cm/object-model";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { hasPrograms } from "../../../tools/has-programs.ts";
import { requirement } from "../../../tools/requirement.ts";
import { toolcall } from "./support/documents.ts";
import { withOwnPostgres } from "./support/on-postgres.ts";

const canMount = (): boolean =>
  process.getuid?.() === 0 && hasPrograms("mount", "umount") && spawnSync("unshare", ["-m", "true"]).status === 0;

requirement("root, mount and unshare", canMount)("a store on a small disk", () => {
  withOwnPostgres("of its own", (postgres, own) => {
    it("refuses what does not fit, keeps what it took, and goes on when there is room", async () => {
      const folder = mkdtempSync(join(tmpdir(), "cm-small-disk-"));
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=0777", "none", folder]);
      const owner = new pg.Client(postgres.url);
      onTestFinished(async () => {
        await owner.end();
        await own.server.halt();
        execFileSync("umount", ["-l", folder]);
        rmSync(folder, { recursive: true, force: true });
      });
      chmodSync(folder, 0o777);
      const uid = execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }).trim();
      execFileSync("chown", [uid, folder]);
      await owner.connect();
      await owner.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
      await owner.query("ALTER ROLE cm SET default_tablespace = small");
      const store = await postgres.open();
      onTestFinished(() => store.close());

      const taken: string[] = [];
      let refusal: unknown;
      for (let n = 0; refusal === undefined && n < 200; n += 1) {
        const writes = ["left", "right"].map((side) => ({
          document: toolcall(`call_${n}_${side}`, randomBytes(60_000).toString("base64")),
          expect: "absent" as const,
        }));
        await store.commit(writes).then(
          ({ results }) => taken.push(...results.map(({ id }) => id)),
          (error) => {
            refusal = error;
          },
        );
      }

      expect(taken.length).toBeGreaterThan(2);
      expect(isCmError(refusal, "store/unavailable") && refusal.data).toEqual({ postgres: "53100" });
      const { versions } = await store.find({ type: "toolcall" });
      expect(versions.map(({ id }) => id).sort()).toEqual([...taken].sort());
      execFileSync("mount", ["-o", "remount,size=64m", folder]);
      const writes = [
        { document: toolcall("after", randomBytes(60_000).toString("base64")), expect: "absent" as const },
      ];
      expect((await store.commit(writes)).results).toMatchObject([{ outcome: "written" }]);
      expect((await store.check?.())?.problems).toEqual([]);
    });
  });
});
