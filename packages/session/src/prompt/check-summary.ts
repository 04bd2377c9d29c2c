import type { ContextView, PoolSummary, PoolSummaryRow } from "@cm/object-model";
import { limits } from "../limits.ts";

const textless: ReadonlySet<unknown> = new Set([
  "unread",
  "deleted",
  "binary",
  "too_large",
  "unreachable",
  "erased",
] satisfies PoolSummaryRow["textless"][]);

/** What is wrong with a summary that a policy made: each row names an object of the session by its alias, once. */
export function faultOfSummary(view: ContextView, summary: PoolSummary): string | undefined {
  const { rows, folders = [] } = summary;
  if (!Array.isArray(rows) || !Array.isArray(folders)) return "a summary without rows";
  if (rows.length + folders.length > limits.summaryRowsMax) return "a summary of too many rows";
  const kinds = new Map([...view.objects.values()].map(({ alias, kind }) => [alias, kind]));
  for (const row of rows) {
    const kind = kinds.get(row?.alias);
    if (kind === undefined || kind !== row.kind) return "a summary's row of an object outside the session's index";
    kinds.delete(row.alias);
    if (!isRow(row)) return "a summary's row that is not one";
  }
  const areFolders = folders.every((folder) => isText(folder?.path) && isCount(folder.objects));
  return areFolders ? undefined : "a summary's folder that is not one";
}

function isRow({ path, tool, status, charCount, textless: state }: PoolSummaryRow): boolean {
  return (
    [path, tool].every((text) => text === undefined || isText(text)) &&
    (status === undefined || status === "ok" || status === "fail") &&
    (charCount === undefined || isCount(charCount)) &&
    (state === undefined || textless.has(state))
  );
}

const isText = (value: unknown): boolean => typeof value === "string" && value.length <= limits.summaryFieldCharsMax;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
