import { describe } from "vitest";
import type { GovernedWorld } from "../../support/governed.ts";
import { approvalLaws } from "./approvals.ts";
import { policyLaws } from "./governed-run.ts";
import { killedLaws } from "./killed.ts";
import { recoveryLaws } from "./recovery.ts";
import { storyLaws } from "./story.ts";
import { workspaceLaws } from "./workspaces.ts";

/** The life of governed sessions, from their first prompt to the deletion of their workspace, on one kind of store. */
export function governedLaws(title: string, world: GovernedWorld): void {
  describe(`a governed session on ${title}`, () => {
    approvalLaws(world);
    policyLaws(world);
    lawsOfServer(world);
    killedLaws(world);
    recoveryLaws(world);
  });
}

/**
 * What the store decides of that life: its records, its workspaces, and what a killed process leaves. Recovery within a process
 * is shown in memory, and in the campaign everywhere.
 */
export function governedLawsOfStore(title: string, world: GovernedWorld): void {
  if (process.env.CM_CAMPAIGN === "1") governedLaws(title, world);
  else
    describe(`a governed session on ${title}`, () => {
      lawsOfServer(world);
      killedLaws(world);
    });
}

/** The same without kills: that no server loses what it committed when another one is killed is shown by `servers`. */
export function governedLawsOfServer(title: string, world: GovernedWorld): void {
  if (process.env.CM_CAMPAIGN === "1") governedLaws(title, world);
  else describe(`a governed session on ${title}`, () => lawsOfServer(world));
}

function lawsOfServer(world: GovernedWorld): void {
  storyLaws(world);
  workspaceLaws(world);
}
