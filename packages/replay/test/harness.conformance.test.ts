// Verifies: HAR-001 to HAR-044 for the replay of recordings.
import { harnessSuite, remembering } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { replayHarness } from "./support/replay-harness.ts";

describe("the replay fulfils harness/1", () => {
  const harness = remembering(replayHarness);

  it.each(harnessSuite.cases)("$id ($clause) $title", async ({ run }) => {
    await expect(run(() => harness)).resolves.toBeUndefined();
  });
});
