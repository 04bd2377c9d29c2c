import type { ContextView, PoolSummary, PoolSummaryRow, ViewObject } from "@cm/object-model";
import { byFolder, type FolderCount } from "../blocks/folders.ts";
import { poolLine } from "../blocks/pool-lines.ts";
import { limits } from "../limits.ts";
import { summaryBlocks } from "../log-messages/summary.ts";

/** How much a summary may take, in UTF-16 units. */
export interface SummaryBudget {
  readonly charsMax: number;
}

/**
 * The pool's files and, of its calls, those that the log does not show: each by alias and path, the one that was used
 * last first, within the budget; the others by folder (decision 62). Undefined where there is nothing to say.
 * Pure, and its work follows the log: meant for requests that rewrite everything.
 */
export function poolSummaryOf(
  view: ContextView,
  { charsMax }: SummaryBudget = { charsMax: limits.summaryCharsMax },
): PoolSummary | undefined {
  const objects = byUse(view);
  let rows = fitting(objects.map(rowOf), charsMax);
  for (;;) {
    const summary = { rows, ...foldersOf(objects.slice(rows.length)) };
    if (charsOf(summary) <= charsMax) return objects.length === 0 ? undefined : summary;
    if (rows.length === 0) return { rows, folders: [{ path: "", objects: objects.length }] };
    rows = rows.slice(0, -1);
  }
}

/** The objects of the pool, the one that a call named last first; of those never named, the newest first. */
function byUse({ log, sets, objects }: ContextView): readonly ViewObject[] {
  const usedAt = new Map<string, number>();
  const uses = new Map<string, number>();
  const shown = new Set<string>();
  for (const entry of log) {
    if (entry.kind === "recalled") usedAt.set(entry.object, entry.at);
    if (entry.kind !== "result") continue;
    shown.add(entry.object);
    for (const file of entry.files) {
      usedAt.set(file, entry.at);
      uses.set(file, (uses.get(file) ?? 0) + 1);
    }
  }
  const rank = (ranks: ReadonlyMap<string, number>, { id }: ViewObject): number => ranks.get(id) ?? -1;
  return [...sets.index]
    .flatMap((id) => (sets.pool.has(id) && !shown.has(id) ? (objects.get(id) ?? []) : []))
    .reverse()
    .sort((a, b) => rank(usedAt, b) - rank(usedAt, a) || rank(uses, b) - rank(uses, a));
}

function rowOf({ alias, kind, path, tool, status, charCount, textless }: ViewObject): PoolSummaryRow {
  const state = textless === undefined ? {} : { textless };
  if (kind === "toolcall") {
    return {
      alias,
      kind,
      ...(tool === undefined ? {} : { tool }),
      ...(status === undefined ? {} : { status }),
      ...state,
    };
  }
  const chars = charCount === undefined || charCount === 0 ? {} : { charCount };
  return { alias, kind, ...(path === undefined ? {} : { path }), ...chars, ...state };
}

/** As many rows from the first on as there is room for. */
function fitting(rows: readonly PoolSummaryRow[], charsMax: number): readonly PoolSummaryRow[] {
  let chars = -1;
  const end = rows.findIndex((row) => {
    chars += charsOf({ rows: [row] }) + 1;
    return chars > charsMax;
  });
  return rows.slice(0, end < 0 ? limits.summaryRowsMax : Math.min(end, limits.summaryRowsMax));
}

function foldersOf(objects: readonly ViewObject[]): { readonly folders?: readonly FolderCount[] } {
  return objects.length === 0 ? {} : { folders: byFolder(objects.map(({ path }) => path ?? "")) };
}

const charsOf = (summary: PoolSummary): number => summaryBlocks(summary).map(poolLine).join("\n").length;
