// @module-tag pi
// Verifies: SSOT 5.12: a disk without room stops nothing, and what was to be written is written once there is room.
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openRpc, type PiHome } from "@cm/scripted-models/real-pi";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasPrograms } from "../../../../tools/has-programs.ts";
import { requirement } from "../../../../tools/requirement.ts";
import { versionsFor, withPi } from "../support/with-pi.ts";
import {
  agentFolderOf,
  expectManaged,
  expectStored,
  isAllRight,
  openOutage,
  turn,
  untilStatus,
} from "./support/outage.ts";

const mounts =
  process.getuid?.() === 0 && hasPrograms("mount", "umount") && spawnSync("unshare", ["-m", "true"]).status === 0;

/** A small disk of its own for the database. */
function mountSmallDisk(home: PiHome): void {
  mkdirSync(agentFolderOf(home));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "none", agentFolderOf(home)]);
  onTestFinished(() => void execFileSync("umount", ["-l", agentFolderOf(home)]));
}

/** Takes all room; the result gives it back. */
function fillDisk(home: PiHome): () => void {
  const path = join(agentFolderOf(home), "filling");
  const file = openSync(path, "w");
  try {
    for (const bytes of [65_536, 4_096, 1]) fillWith(file, Buffer.alloc(bytes));
  } finally {
    closeSync(file);
  }
  return () => rmSync(path);
}

function fillWith(file: number, piece: Buffer): void {
  try {
    while (writeSync(file, piece) === piece.length);
  } catch {
    // The disk is full.
  }
}

describe.each(versionsFor("0.87.1"))("a disk without room", (version) => {
  requirement("the right to mount", () => mounts)("under the database", () => {
    withPi(version, "while the model works", (stages) => {
      it("stops no request, and the database has everything when there is room", async () => {
        const { play, run } = await openOutage(stages, [...turn(0, 1), ...turn(1, 4)]);
        mountSmallDisk(run.home);
        const rpc = await openRpc(run);
        await rpc.prompt("first");
        const free = fillDisk(run.home);

        await rpc.prompt("second");

        expect(rpc.status("cm")).toMatch(/ \d steps? not written · database offline: The disk/);
        free();
        await untilStatus(rpc, "that all is right", isAllRight);
        expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
        expectManaged(play);
        await expectStored(run.home, 4);
      });
    });
  });
});
