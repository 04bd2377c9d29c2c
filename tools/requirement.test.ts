// @module-tag process
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { innerRun } from "./inner-run.ts";

const requirement = pathToFileURL(`${import.meta.dirname}/requirement.ts`).href;
const rideOn = (present: boolean): string => `
  import { requirement } from ${JSON.stringify(requirement)};
  const withUnicorn = requirement("a unicorn", () => ${present});
  withUnicorn("the ride", () => { it("is smooth", () => {}); });
  it("walks", () => {});
`;

describe("a requirement", () => {
  it("lets the tests run where the thing is there", async () => {
    const { output } = await innerRun(rideOn(true), { CM_REQUIRE_ALL: "1" });

    expect(output).toMatch(/^2 passed, 0 failed, 0 skipped$/m);
  });

  it("skips them and says so in a line where it is missing", async () => {
    const { status, output } = await innerRun(rideOn(false), {});

    expect(output).toMatch(/^1 passed, 0 failed, 1 skipped$/m);
    expect(output).toContain('SKIPPED: "the ride" needs a unicorn, which is not here.');
    expect(status).toBe(0);
  });

  it("skips what a run could not get, where all others are insisted on", async () => {
    const env = { CM_REQUIRE_ALL: "1", CM_DO_WITHOUT: "a dragon,a unicorn" };
    const { status, output } = await innerRun(rideOn(false), env);

    expect(output).toMatch(/^1 passed, 0 failed, 1 skipped$/m);
    expect(status).toBe(0);
  });

  it("fails where all requirements are insisted on", async () => {
    const { status, output } = await innerRun(rideOn(false), { CM_REQUIRE_ALL: "1" });

    expect(output).toMatch(/^1 passed, 1 failed, 0 skipped$/m);
    expect(output).toContain("a unicorn is missing and CM_REQUIRE_ALL=1.");
    expect(status).toBe(1);
  });
});
