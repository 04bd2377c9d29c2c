import { startNode, type XtdbNode } from "../../launch/index.ts";

let node: Promise<XtdbNode> | undefined;

/**
 * A small node in memory for all files that this process runs: each uses ids of its own, and none stops it.
 * It ends with the process.
 */
export function sharedNode(): Promise<XtdbNode> {
  node ??= startNode({ quick: true, heapMiB: 512 });
  return node;
}
