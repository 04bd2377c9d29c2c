// Verifies: HAR-001 to HAR-053 hold for a small harness, and each catches what it is meant to catch.
import { describe, expect, it } from "vitest";
import { harnessSuite, openSimpleHarness } from "../src/index.ts";

describe("a small harness fulfils harness/1", () => {
  it.each(harnessSuite.cases)("$id ($clause) $title", async ({ run }) => {
    await expect(run(openSimpleHarness)).resolves.toBeUndefined();
  });
});
