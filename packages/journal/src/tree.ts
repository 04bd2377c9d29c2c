import type { Entry } from "./entry.ts";

/** An entry and the line that it stood on. */
export interface PlacedEntry {
  readonly line: number;
  readonly entry: Entry;
}

/** Entries by id and by parent. Maps, because ids come from outside and may be called `__proto__`. */
export interface EntryTree {
  /** The last one of entries with the same id, as in Pi. */
  readonly byId: ReadonlyMap<string, Entry>;
  /** In file order. Roots, and entries whose parent is missing, stand under null. */
  readonly children: ReadonlyMap<string | null, readonly Entry[]>;
}

export type TreeProblem = { readonly kind: "duplicate-id" | "missing-parent" | "cycle"; readonly line: number };

export function treeOf(placed: readonly PlacedEntry[]): EntryTree & { readonly problems: readonly TreeProblem[] } {
  const byId = new Map<string, Entry>();
  const children = new Map<string | null, Entry[]>();
  const problems: TreeProblem[] = [];
  for (const { entry, line } of placed) {
    if (byId.has(entry.id)) problems.push({ kind: "duplicate-id", line });
    byId.set(entry.id, entry);
  }
  for (const { entry, line } of placed) {
    const isOrphan = entry.parentId !== null && !byId.has(entry.parentId);
    if (isOrphan) problems.push({ kind: "missing-parent", line });
    const key = isOrphan ? null : entry.parentId;
    const siblings = children.get(key);
    if (siblings === undefined) children.set(key, [entry]);
    else siblings.push(entry);
  }
  return { byId, children, problems: [...problems, ...cyclesOf(placed, byId)] };
}

/** The entries from the root to `leaf`. Ends early where the parents form a cycle or one is missing. */
export function pathTo(leaf: Entry, byId: ReadonlyMap<string, Entry>): readonly Entry[] {
  const path = new Set<Entry>();
  for (let entry: Entry | undefined = leaf; entry !== undefined && !path.has(entry); entry = parentOf(entry, byId)) {
    path.add(entry);
  }
  return [...path].reverse();
}

function parentOf(entry: Entry, byId: ReadonlyMap<string, Entry>): Entry | undefined {
  return entry.parentId === null ? undefined : byId.get(entry.parentId);
}

/** One problem for each cycle, at the first entry of the file that leads into it. Visits every entry once. */
function cyclesOf(placed: readonly PlacedEntry[], byId: ReadonlyMap<string, Entry>): readonly TreeProblem[] {
  const problems: TreeProblem[] = [];
  const walkOf = new Map<Entry, number>();
  for (const { entry: start, line } of placed) {
    let entry: Entry | undefined = start;
    while (entry !== undefined && !walkOf.has(entry)) {
      walkOf.set(entry, line);
      entry = parentOf(entry, byId);
    }
    // Met in this very walk, not in an earlier one.
    if (entry !== undefined && walkOf.get(entry) === line) problems.push({ kind: "cycle", line });
  }
  return problems;
}
