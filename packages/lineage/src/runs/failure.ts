import type { Write } from "@cm/object-model";
import type { LineageContext } from "../context.ts";
import type { RunFields } from "../documents/types.ts";
import { lineageLimits } from "../limits.ts";
import { changed, created, type Stored } from "../records/records.ts";

export interface Failure {
  readonly reason: string;
  readonly nowMs: number;
}

/** What a failure makes of a run. */
export function failedFields({ reason, nowMs }: Failure) {
  const failure = reason.slice(0, lineageLimits.failureCharsMax).toWellFormed();
  return { status: "failed", is_snapshot: false, failure, ended_at: nowMs } as const;
}

/** The end of a run without a state: what it took from the mailbox goes back there. */
export async function failureWrites(
  { records }: LineageContext,
  run: Stored<RunFields>,
  failure: Failure,
): Promise<readonly Write[]> {
  const end = changed("run", run, failedFields(failure));
  if (run.fields.session_type === "async_subagent") return [end, postOf(run, "failed")];
  const writes: Write[] = [end];
  for await (const letter of records.all("mail", { consumed_by: run.id })) {
    writes.push(changed("mail", letter, { consumed_by: null }));
  }
  return writes;
}

/** What a finished subagent leaves in the mailbox of its conversation: one reference, once. */
export function postOf({ id, fields }: Stored<RunFields>, outcome: "result" | "failed"): Write {
  const { conversation_id, subagent_name, created_us } = fields;
  return created("mail", id, {
    conversation_id,
    session_id: id,
    subagent_name,
    outcome,
    consumed_by: null,
    created_us,
  });
}
