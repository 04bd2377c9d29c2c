import type { SessionEntry } from "../format/session-entry.ts";
import type { EntryIndex } from "./entry-index.ts";

export interface SessionTreeNode {
  readonly entry: SessionEntry;
  /** Oldest first. */
  readonly children: SessionTreeNode[];
  readonly label?: string;
}

/**
 * All entries as trees, in file order. An entry is a root where it has no parent, is its own, or names one that is not
 * there; of a ring, the entry that comes first in the file.
 */
export function sessionTree(entries: readonly SessionEntry[], index: EntryIndex): SessionTreeNode[] {
  const nodes = nodesOf(entries, index);
  const parentOf = ({ entry }: SessionTreeNode): SessionTreeNode | undefined =>
    typeof entry.parentId === "string" && entry.parentId !== entry.id ? nodes.get(entry.parentId) : undefined;
  const roots: SessionTreeNode[] = [];
  for (const node of nodes.values()) {
    const parent = parentOf(node);
    if (parent === undefined) roots.push(node);
    else parent.children.push(node);
  }
  const reached = new Set<SessionTreeNode>();
  for (const root of roots) reach(root, reached);
  for (const node of nodes.values()) {
    if (reached.has(node)) continue;
    const siblings = parentOf(node)?.children;
    siblings?.splice(siblings.indexOf(node), 1);
    roots.push(node);
    reach(node, reached);
  }
  for (const { children } of nodes.values()) children.sort((a, b) => timeOf(a) - timeOf(b));
  return roots;
}

function nodesOf(entries: readonly SessionEntry[], { byId, labels }: EntryIndex): Map<string, SessionTreeNode> {
  const nodes = new Map<string, SessionTreeNode>();
  for (const { id } of entries) {
    const entry = byId.get(id);
    if (entry === undefined) continue;
    const label = labels.get(id);
    nodes.set(id, { entry, children: [], ...(label === undefined ? {} : { label }) });
  }
  return nodes;
}

/** Not recursive: a session is a chain of thousands. */
function reach(root: SessionTreeNode, reached: Set<SessionTreeNode>): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    open.push(...node.children);
  }
}

function timeOf({ entry }: SessionTreeNode): number {
  const time = Date.parse(entry.timestamp);
  return Number.isNaN(time) ? 0 : time;
}
