import type { LineageContext } from "../context.ts";
import { changed } from "../records/records.ts";
import { checkMove } from "../rules/status.ts";
import { type Run, readRun, runOf } from "./run.ts";

/** Takes a committed run out of sight: no run goes on from it. Its state stays. @throws CmError `lineage/bad-move` */
export async function archiveRun({ records }: LineageContext, id: string): Promise<Run> {
  const fields = await records.change(async () => {
    const run = await readRun(records, id);
    checkMove(id, run.fields.status, "archived");
    const changes = { status: "archived", is_snapshot: false } as const;
    return { writes: [changed("run", run, changes)], result: { ...run.fields, ...changes } };
  });
  return runOf({ id, fields, token: "" });
}
