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
    lawsOfStore(world);
  });
}

/** What the store decides of that life: its records, its workspaces and its recovery; in the campaign all of it. */
export function governedLawsOfStore(title: string, world: GovernedWorld): void {
  if (process.env.CM_CAMPAIGN === "1") governedLaws(title, world);
  else describe(`a governed session on ${title}`, () => lawsOfStore(world));
}

/**
 * The same without recovery, which is shown in memory and on SQLite, and in the campaign everywhere: that no server loses what it
 * committed when another one is killed is shown by `servers`.
 */
export function governedLawsOfServer(title: string, world: GovernedWorld): void {
  if (process.env.CM_CAMPAIGN === "1") governedLaws(title, world);
  else describe(`a governed session on ${title}`, () => lawsOfServer(world));
}

function lawsOfStore(world: GovernedWorld): void {
  lawsOfServer(world);
  recoveryLaws(world);
}

function lawsOfServer(world: GovernedWorld): void {
  storyLaws(world);
  workspaceLaws(world);
}
