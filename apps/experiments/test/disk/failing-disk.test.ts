// @module-tag process
// Verifies: F3, F4: a disk that fails or is full at any write of a session costs an error with a code, and nothing else.

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DiskFault } from "../../../../tools/failing-disk/disk-control.ts";
import { failingDisk, withFailingDisk } from "../../../../tools/failing-disk/failing-disk.ts";
import { inFolder } from "../support/command.ts";
import type { Outcome } from "./session-on-disk.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";
/** Every call in a campaign; else one of so many. */
const stride = isCampaign ? 1 : 17;
const script = join(import.meta.dirname, "session-on-disk.ts");

const all = (["I/O error", "full", "half"] as const).flatMap((fault) =>
  (["once", "lasting"] as const).map((lasts) => ({ fault, lasts })),
);
/** Else each fault in one of the two ways. */
const cases = isCampaign ? all : [1, 3, 4].flatMap((place) => all[place] ?? []);

withFailingDisk("a session on a disk where each write in its turn fails", () => {
  it.each(cases)("($fault, $lasts) loses and doubles nothing, tells it by a code, and goes on", ({ fault, lasts }) =>
    inFolder((folder) => {
      const first = isCampaign ? 1 : 1 + 3 * all.findIndex((one) => one.fault === fault && one.lasts === lasts);

      const outcomes = run(folder, [fault, lasts, `${first}`, `${stride}`]);

      expect(outcomes.filter(({ problems }) => problems.length > 0)).toEqual([]);
      const codes = new Set(outcomes.flatMap(({ errors }) => errors));
      expect([...codes].filter((code) => !known.has(code))).toEqual([]);
      // A failure while the log is emptied is not reported: it loses nothing, and the work is repeated.
      expect(outcomes.filter(({ errors }) => errors.length > 0).length).toBeGreaterThan(outcomes.length / 4);
      expect(outcomes.length).toBeGreaterThan(60 / stride);
    }),
  );
});

const known = new Set(["store/unavailable", "store/unknown-outcome"]);

function run(folder: string, [fault, ...rest]: readonly [DiskFault, ...string[]]): readonly Outcome[] {
  const [work, disk] = [join(folder, "work"), join(folder, "disk")];
  for (const made of [work, disk]) mkdirSync(made);
  const { control, env } = failingDisk(disk, work);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, disk, control, fault, ...rest], {
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Outcome);
}
