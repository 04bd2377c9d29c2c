import { requirement } from "../requirement.ts";
import { type PinnedNode, pinnedNodes } from "./pinned-nodes.ts";
import { canRunNode, prepareNode } from "./prepare-node.ts";

/** A Node that tests start programs with, beside the one that runs them. */
export interface OtherNode {
  readonly version: string;
  /** Its program. */
  readonly node: string;
}

/** The oldest, which is what a package may ask for; in the campaign the newest, too. */
const versions = (Object.keys(pinnedNodes) as PinnedNode[]).slice(0, process.env.CM_CAMPAIGN === "1" ? undefined : 1);
const programs = new Map<PinnedNode, string>();
for (const version of versions) if (await canRunNode(version)) programs.set(version, await prepareNode(version));

/** Tests for each pinned Node of this run; where one cannot be had they are left out by name. */
export function withNodes(title: string, tests: (node: OtherNode) => void): void {
  for (const version of versions) {
    const node = programs.get(version);
    requirement(`Node ${version}`, () => node !== undefined)(`${title} on Node ${version}`, () => {
      tests({ version, node: node ?? "" });
    });
  }
}
