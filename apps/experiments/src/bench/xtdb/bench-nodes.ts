import { prepare, type StartOptions, startNode, type XtdbNode } from "@cm/xtdb-node";

/** Nodes for one measurement; all are gone when it is over, however it ends. */
export async function withNodes<T>(
  options: readonly StartOptions[],
  measure: (...nodes: readonly XtdbNode[]) => Promise<T>,
): Promise<T> {
  await prepare();
  const nodes: XtdbNode[] = [];
  try {
    for (const each of options) nodes.push(await startNode(each));
    return await measure(...nodes);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
}
