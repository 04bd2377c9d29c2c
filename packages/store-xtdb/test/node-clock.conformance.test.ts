// @module-tag xtdb
// @module-tag long
// Verifies: object-store/1 with the times that XTDB gives. Three cases need a clock that stands still.
import { objectStoreSuite, runSuite, type StoreFactory } from "@cm/testkit";
import { expect, it } from "vitest";
import { withNode } from "./support/live-node.ts";

const reason = "it plans for a moment of its own clock, which for the node lies in the past";
const knownGaps = ["OS-043", "OS-052", "OS-165"].map((id) => ({ id, reason }));

/** Tokens, bases, valid times, clocks, histories and what erasures leave at old times: all others have nothing to do with time, and a campaign has them. */
const cases = objectStoreSuite.cases.filter(
  ({ id }) => process.env.CM_CAMPAIGN === "1" || /^OS-(?:01[128]|02[034]|0[4-7]|10[689]|11[12]|165)/.test(id),
);

withNode("the XTDB store by the clock of its node", (node) => {
  it("fulfils object-store/1", async () => {
    const open: StoreFactory = async ({ types }) => node.open({ types });

    const { results } = await runSuite({ ...objectStoreSuite, cases }, open, { knownGaps });

    const wrong = results.filter(({ outcome }) => outcome !== "held" && outcome !== "known-gap");
    expect(wrong).toEqual([]);
  });
});
