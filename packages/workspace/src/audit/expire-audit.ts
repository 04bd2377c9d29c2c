import { invalid } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Setting } from "../setting.ts";

export interface ExpiryOptions {
  /** Default: true, which counts what would go and takes nothing. */
  readonly dryRun?: boolean;
  /** Default: `limits.auditDays`. */
  readonly olderThanDays?: number;
}

const dayMs = 86_400_000;

/** Takes the audit's events and approvals for good that are older than they are to be kept. How many. */
export async function expireAudit({ records, now }: Setting, options: ExpiryOptions = {}): Promise<number> {
  const { dryRun = true, olderThanDays = limits.auditDays } = options;
  if (!(olderThanDays >= 1)) throw invalid("olderThanDays", "The audit is kept for one day or more.");
  const before = now() - olderThanDays * dayMs;
  const old: string[] = [];
  for await (const { id, fields } of records.every("governed_event", {})) if (fields.at < before) old.push(id);
  for await (const { id, fields } of records.every("approval", {})) if (fields.decided_at < before) old.push(id);
  for (let at = 0; !dryRun && at < old.length; at += limits.batchObjectsMax) {
    await records.store.erase(old.slice(at, at + limits.batchObjectsMax), "the audit's time is over");
  }
  return old.length;
}
