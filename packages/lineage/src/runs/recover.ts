import type { LineageContext } from "../context.ts";
import type { RunFields } from "../documents/types.ts";
import type { Stored } from "../records/records.ts";
import { ownerGone } from "./claim.ts";
import { freedConversation } from "./end.ts";
import { failureWrites } from "./failure.ts";
import { forgetState } from "./forget-state.ts";
import { commitOrphan, isOrphan } from "./orphan.ts";

/**
 * Fails the runs without a live owner: those of this owner's former incarnations, and those whose owner let its
 * lease run out. Runs of living processes stay, and a run whose commit is in the store is committed, as is one whose end
 * is known.
 * @returns the ids of the runs that failed
 */
export async function recoverRuns(context: LineageContext): Promise<readonly string[]> {
  const { records, ownership } = context;
  const failed: string[] = [];
  const known = new Map<string, boolean>();
  for await (const run of records.all("run", { status: "created" })) {
    const { name, incarnation } = run.fields.owner;
    const key = JSON.stringify([name, incarnation]);
    const isOurs = ownership.isOurs(run.fields);
    const isAlive = isOurs ? !(await isOrphan(context, run)) : (known.get(key) ?? !(await isOrphan(context, run)));
    if (!isOurs) known.set(key, isAlive);
    if (!isAlive && (await failOrphan(context, run.id))) failed.push(run.id);
  }
  return failed;
}

/** False where its end is known, where another process has ended it meanwhile, and where its owner is back. */
async function failOrphan(context: LineageContext, id: string): Promise<boolean> {
  const { records, now } = context;
  if (await commitOrphan(context, id)) return false;
  const isFailed = await records.change(async () => {
    const run: Stored<RunFields> | undefined = await records.read("run", id);
    if (run === undefined || !(await isOrphan(context, run))) return { writes: [], result: false };
    const writes = await failureWrites(context, run, { reason: ownerGone, nowMs: now() });
    return { writes: [...writes, ...(await freedConversation(context, run))], result: true };
  });
  if (isFailed) await forgetState(context, id);
  return isFailed;
}
