// @module-tag process
// @module-tag long
// Verifies: SSOT 5.6, SSOT 5.8, SSOT 5.9, F8, F10: before the next step, what is stored is what is on disk.
import { plannedSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { freshFolder } from "./support/storm-folder.ts";
import { onDisk, stormPath } from "./support/storm-operations.ts";
import { calm, editing, git, storm, twoBranches } from "./support/storm-process.ts";
import { type StormSession, stormSession } from "./support/storm-session.ts";

const campaign = process.env.CM_CAMPAIGN === "1";

/** Steps of the session for as long as the other process works. */
async function stepsDuring<T>(session: StormSession, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) await session.step();
  return over;
}

describe("a session in a storm", () => {
  for (const seed of plannedSeeds({ runs: campaign ? 2 : 1 })) {
    it(`stores what is on disk, and no absence that was none (seed ${seed}: CM_SEED=${seed})`, async () => {
      const root = freshFolder();
      const paths = calm(root, 200);
      const session = await stormSession(root, paths);

      const plan = { seed, operations: campaign ? 10_000 : 250, files: 200, gapMs: 40 };
      const gone = await stepsDuring(session, storm(root, plan));

      expect(await session.stale()).toEqual([]);
      expect(paths.filter((path) => onDisk(path) !== undefined).length).toBeGreaterThan(100);
      const wereGone = new Set([...gone].map((n) => stormPath(root, n)));
      expect((await session.everDeleted()).filter((path) => !wereGone.has(path))).toEqual([]);
    });
  }

  it("never takes the save of an editor for a deletion", async () => {
    const root = freshFolder();
    const paths = calm(root, 20);
    const session = await stormSession(root, paths);

    const slow = await stepsDuring(session, editing(root, { saves: campaign ? 5_000 : 120, files: 20 }));

    expect(await session.stale()).toEqual([]);
    const reallyGone = new Set([...slow].map((n) => stormPath(root, n)));
    expect((await session.everDeleted()).filter((path) => !reallyGone.has(path))).toEqual([]);
  });

  it("has every file of a git checkout, there and back, before the next step", async () => {
    const root = freshFolder();
    const paths = await twoBranches(root, campaign ? 3_560 : 500);
    const session = await stormSession(
      root,
      paths.filter((path) => onDisk(path) !== undefined),
    );

    for (const branch of ["other", "main"]) {
      await git(root, ["checkout", "-q", branch]);

      expect(await session.stale(), branch).toEqual([]);
    }
  });
});
