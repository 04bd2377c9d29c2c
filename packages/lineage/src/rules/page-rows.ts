import { invalid, overLimit } from "../errors.ts";
import { lineageLimits } from "../limits.ts";

/**
 * A store begins anew at a cursor that it does not know, so that a caller with a broken one would never come to an end.
 * @throws CmError `lineage/invalid`
 */
export function checkCursor(type: "run" | "conversation", cursor: string | undefined): string | undefined {
  if (cursor === undefined || new RegExp(`^\\d{1,16}:${type}:.`, "s").test(cursor)) return cursor;
  throw invalid("cursor", "The cursor is none that a page of this list gave; begin without one.");
}

/** @throws CmError `lineage/invalid`, `lineage/limit` */
export function checkPageRows(limit: number = lineageLimits.pageRowsDefault): number {
  if (!Number.isInteger(limit) || limit < 1) throw invalid("limit", "A page has at least one row; ask for more.");
  if (limit > lineageLimits.pageRowsMax) throw overLimit("pageRowsMax", limit);
  return limit;
}
