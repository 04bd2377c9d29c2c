import { describe, it } from "vitest";

/**
 * `describe` for tests that need more than Node, npm and git:
 *
 * const withChromium = requirement("chromium", () => findChromium() !== undefined); withChromium("the report in a
 * browser", () => { it("draws the plot", ...); });
 *
 * If the requirement is missing, the tests are skipped by name and one line says so. With CM_REQUIRE_ALL=1, as in CI,
 * that is a failure instead, unless CM_DO_WITHOUT names it: what the run tried to get, and could not. No test is left out in any other way; `tools/ledger.test.ts` sees to it.
 */
export function requirement(name: string, present: () => boolean): (title: string, tests: () => void) => void {
  if (present()) return (title, tests) => describe(title, tests);
  const without = (process.env.CM_DO_WITHOUT ?? "").split(",");
  if (process.env.CM_REQUIRE_ALL === "1" && !without.includes(name)) {
    return (title) =>
      it(`${title} (needs ${name})`, () => {
        throw new Error(`${name} is missing and CM_REQUIRE_ALL=1. Install it, as tools/ci-setup does on Debian.`);
      });
  }
  return (title, tests) => {
    console.warn(`SKIPPED: "${title}" needs ${name}, which is not here.`);
    describe.skip(`${title} (needs ${name})`, tests);
  };
}
