import type { ConversationFields, RunFields } from "../documents/types.ts";
import { fault, notFound, shown } from "../errors.ts";
import type { Records, Stored } from "../records/records.ts";
import { isSnapshot } from "../rules/status.ts";

/** A run, under the names that the seed gives its fields. The wire calls it a session. */
export interface Run extends Omit<RunFields, "is_snapshot" | "created_us" | "owner"> {
  readonly session_id: string;
  readonly owner: string;
}

export function runOf({ id, fields }: Stored<RunFields>): Run {
  const { is_snapshot: _snapshot, created_us: _us, owner, ...rest } = fields;
  return { session_id: id, ...rest, owner: owner.name };
}

/** @throws CmError `lineage/not-found` */
export async function readRun(records: Records, id: string): Promise<Stored<RunFields>> {
  const run = await records.read("run", id);
  if (run === undefined) throw notFound("run", id);
  return run;
}

/** @throws CmError `lineage/not-found` also for a run without a state to go on from */
export async function readSnapshot(records: Records, id: string): Promise<Stored<RunFields>> {
  const run = await records.read("run", id);
  if (run === undefined || !isSnapshot(run.fields.status)) throw notFound("committed run", id);
  return run;
}

/** The newest run of a conversation that another one goes on from. */
export async function newestSnapshot(
  records: Records,
  conversationId: string,
  kind:
    | { readonly session_type: "agent" }
    | { readonly session_type: "async_subagent"; readonly subagent_name: string },
): Promise<Stored<RunFields> | undefined> {
  const where = { conversation_id: conversationId, is_snapshot: true, ...kind };
  return (await records.page("run", where, { limit: 1 })).records[0];
}

/**
 * The run that a conversation's agent goes on from, undefined where none was ever committed. The conversation tells when its newest run
 * was made: going on from an older one would silently be another conversation.
 * @throws CmError `lineage/run-missing`
 */
export async function newestOfAgent(
  records: Records,
  { id, fields: { last_us } }: Stored<ConversationFields>,
): Promise<Stored<RunFields> | undefined> {
  const snapshot = await newestSnapshot(records, id, { session_type: "agent" });
  if (snapshot !== undefined && snapshot.fields.created_us >= last_us) return snapshot;
  const ofAgent = await records.page("run", { conversation_id: id, session_type: "agent" }, { limit: 1 });
  if ((ofAgent.records[0]?.fields.created_us ?? -1) >= last_us) return snapshot;
  const message = `The newest run of the conversation ${shown(id)} is not there: it was lost or erased. Run a verification of the store, or fork from a run that is there.`;
  throw fault("lineage/run-missing", message, { id: shown(id) });
}
