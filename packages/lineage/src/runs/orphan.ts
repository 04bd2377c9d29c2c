import type { LineageContext } from "../context.ts";
import { endWrites } from "./end.ts";
import { runOf } from "./run.ts";

/** Commits a run whose process is gone, where its end is known. @returns whether it did */
export async function commitOrphan(context: LineageContext, id: string): Promise<boolean> {
  const { records, ownership, endOfOrphan } = context;
  if (endOfOrphan === undefined) return false;
  return records.change(async () => {
    const run = await records.read("run", id);
    const isOrphan = run?.fields.status === "created" && !(await ownership.isAlive(run.fields));
    const end = run !== undefined && isOrphan ? await endOfOrphan(runOf(run)) : undefined;
    if (run === undefined || end === undefined) return { writes: [], result: false };
    return { writes: await endWrites(context, run, end), result: true };
  });
}
