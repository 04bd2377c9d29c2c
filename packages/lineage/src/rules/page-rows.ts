import { invalid, overLimit } from "../errors.ts";
import { lineageLimits } from "../limits.ts";

/** @throws CmError `lineage/invalid`, `lineage/limit` */
export function checkPageRows(limit: number = lineageLimits.pageRowsDefault): number {
  if (!Number.isInteger(limit) || limit < 1) throw invalid("limit", "A page has at least one row; ask for more.");
  if (limit > lineageLimits.pageRowsMax) throw overLimit("pageRowsMax", limit);
  return limit;
}
