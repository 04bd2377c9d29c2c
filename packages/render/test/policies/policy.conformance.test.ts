// @module-tag long
// Verifies: policy/1, for each layout with the policy that was made for it.
import { layouts } from "@cm/render";
import { type PolicyPromise, policySuite } from "@cm/testkit";
import { describe, expect, it } from "vitest";

const promises: Readonly<Record<keyof typeof layouts, readonly PolicyPromise[]>> = {
  plain: ["cost"],
  ssot: ["requests", "window"],
  log: ["cost", "dismissal", "folds", "requests", "window"],
};

describe.each(["plain", "ssot", "log"] as const)("layout %s fulfils policy/1", (layout) => {
  // The campaign's many sessions take their time.
  it.each(policySuite.cases)("$id ($clause) $title", async ({ run }) => {
    await expect(run(() => ({ ...layouts[layout], promises: promises[layout] }))).resolves.toBeUndefined();
  });
});
