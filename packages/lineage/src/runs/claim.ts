import type { Write } from "@cm/object-model";
import type { LineageContext } from "../context.ts";
import type { ConversationFields } from "../documents/types.ts";
import { fault } from "../errors.ts";
import type { Stored } from "../records/records.ts";
import { failureWrites } from "./failure.ts";
import { commitOrphan } from "./orphan.ts";

/**
 * What must be written so that a conversation is free for a new agent run: nothing, or the failure of a run whose process
 * is gone. The caller writes it together with the new claim, so that only one of two can have it.
 * @returns undefined where such a run's end was known and is in the records now: the conversation is another one
 * @throws CmError `lineage/busy` with the id of the run that runs
 */
export async function freeingWrites(
  context: LineageContext,
  conversation: Stored<ConversationFields>,
): Promise<Freed | undefined> {
  const { running } = conversation.fields;
  if (running === null) return free;
  const run = await context.records.read("run", running);
  if (run === undefined || run.fields.status !== "created") return free;
  if (await context.ownership.isAlive(run.fields)) {
    throw fault(
      "lineage/busy",
      `The run ${running} is running in the conversation; wait for its end or interrupt it.`,
      { running, transport: run.fields.transport },
    );
  }
  if (await commitOrphan(context, running)) return undefined;
  const writes = await failureWrites(context, run, { reason: ownerGone, nowMs: context.now() });
  return { writes, failed: [running] };
}

export interface Freed {
  readonly writes: readonly Write[];
  /** Runs that fail with it, whose states go away afterwards. */
  readonly failed: readonly string[];
}

const free: Freed = { writes: [], failed: [] };

/** What is said of a run whose process ended without a word. */
export const ownerGone = "The process that ran it is gone.";
