import { describe } from "vitest";
import type { GovernedWorld } from "../../support/governed.ts";
import { approvalLaws } from "./approvals.ts";
import { policyLaws } from "./governed-run.ts";
import { recoveryLaws } from "./recovery.ts";
import { storyLaws } from "./story.ts";
import { workspaceLaws } from "./workspaces.ts";

/** The life of governed sessions, from their first prompt to the deletion of their workspace, on one kind of store. */
export function governedLaws(title: string, world: GovernedWorld): void {
  describe(`a governed session on ${title}`, () => {
    approvalLaws(world);
    policyLaws(world);
    storyLaws(world);
    workspaceLaws(world);
    recoveryLaws(world);
  });
}
