import type { LineageContext } from "../context.ts";
import type { RunFields } from "../documents/types.ts";
import type { Stored } from "../records/records.ts";
import { endWrites } from "./end.ts";
import { runOf } from "./run.ts";

/** Whether no process executes a run: also one of this process, where the answer to the write of its start was lost. */
export async function isOrphan({ ownership, registry }: LineageContext, run: Stored<RunFields>): Promise<boolean> {
  if (run.fields.status !== "created") return false;
  return ownership.isOurs(run.fields) ? !registry.holds(run.id) : !(await ownership.isAlive(run.fields));
}

/** Commits a run whose process is gone, where its end is known. @returns whether it did */
export async function commitOrphan(context: LineageContext, id: string): Promise<boolean> {
  const { records, endOfOrphan } = context;
  if (endOfOrphan === undefined) return false;
  return records.change(async () => {
    const run = await records.read("run", id);
    const end = run !== undefined && (await isOrphan(context, run)) ? await endOfOrphan(runOf(run)) : undefined;
    if (run === undefined || end === undefined) return { writes: [], result: false };
    return { writes: await endWrites(context, run, end), result: true };
  });
}
