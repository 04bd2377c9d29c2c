// @module-tag process
// @module-tag long
// Verifies: SSOT 5.8, F8, F10

import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { TrackerOptions } from "@cm/sources-fs";
import { plannedSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { freshFolder } from "./support/storm-folder.ts";
import { onDisk } from "./support/storm-operations.ts";
import { calm, git, storm, twoBranches } from "./support/storm-process.ts";
import { bindingOf, trackerSetting } from "./support/storm-tracker.ts";

const campaign = process.env.CM_CAMPAIGN === "1";

/** No audit round finds what the events have missed. */
const eventsAlone = { auditMs: 3_600_000 };

/** The knowledge of a reader that reads a file only after a hint. */
async function reader(paths: readonly string[], options: Partial<TrackerOptions> = {}) {
  const known = new Map<string, string | undefined>();
  const read = (path: string): void => void known.set(path, onDisk(path));
  const setting = trackerSetting({ onHint: ({ path }) => read(path), ...options });
  await setting.tracker.follow(paths.map(bindingOf));
  for (const path of paths) read(path);
  await setting.tracker.settled();
  return { tracker: setting.tracker, stale: () => paths.filter((path) => known.get(path) !== onDisk(path)) };
}

describe("a storm of a second process", () => {
  for (const seed of plannedSeeds({ runs: campaign ? 2 : 1 })) {
    it(`leaves no file stale after its hints (seed ${seed}: CM_SEED=${seed})`, async () => {
      const root = freshFolder();
      const { tracker, stale } = await reader(calm(root, 200));

      await storm(root, { seed, operations: campaign ? 10_000 : 500, files: 200, gapMs: 40 });
      await tracker.settled();

      expect(stale()).toEqual([]);
    });
  }

  it("leaves no file stale by its events alone", async () => {
    const root = freshFolder();
    const { stale } = await reader(calm(root, 200), eventsAlone);

    await storm(root, { seed: 7, operations: 400, files: 200, gapMs: 40 });

    await expect.poll(stale).toEqual([]);
  });
});

describe("more events than the system's queue holds", () => {
  it("leave no file stale after its hints", async () => {
    const root = freshFolder();
    const paths = calm(root, 200);
    const { tracker, stale } = await reader(paths);

    // No event is handled meanwhile, because all of this is one turn of the event loop.
    for (let write = 0; write < 50; write += 1) for (const path of paths) writeFileSync(path, `${write}`);
    await tracker.settled();

    expect(stale()).toEqual([]);
  });
});

describe("two writes shortly after each other", () => {
  it("are hinted for the second one, whatever is between them", async () => {
    const root = freshFolder();
    const paths = calm(root, 40);
    const { stale } = await reader(paths, eventsAlone);
    const rounds = campaign ? 10 : 1;

    for (let round = 0; round < rounds; round += 1) {
      const writes = paths.map(async (path, n) => {
        writeFileSync(path, `${round} first`);
        await pause(2 + (n * 98) / 39);
        writeFileSync(path, `${round} later`);
      });
      await Promise.all(writes);

      await expect.poll(stale).toEqual([]);
    }
  });
});

describe("git checkout", () => {
  it("of many files, there and back, leaves no file stale after its hints", async () => {
    const root = freshFolder();
    const { tracker, stale } = await reader(await twoBranches(root, campaign ? 3_500 : 500));

    for (const branch of ["other", "main"]) {
      await git(root, ["checkout", "-q", branch]);
      await tracker.settled();

      expect(stale(), branch).toEqual([]);
    }
  });
});
