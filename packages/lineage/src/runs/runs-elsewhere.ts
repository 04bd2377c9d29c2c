import { defined } from "@cm/object-model";
import type { LineageContext } from "../context.ts";
import type { RunFilter } from "./list-runs.ts";
import { type Run, runOf } from "./run.ts";

export interface RunElsewhere {
  readonly run: Run;
  /** Where the process that executes it is reached; undefined where it said nothing. */
  readonly address: string | undefined;
}

/** Runs that other living processes execute now, newest first. */
export async function* runsElsewhere(
  { records, ownership }: LineageContext,
  { conversationId }: Pick<RunFilter, "conversationId"> = {},
): AsyncGenerator<RunElsewhere> {
  for await (const run of records.all("run", { status: "created", ...defined({ conversation_id: conversationId }) })) {
    if (ownership.isOurs(run.fields)) continue;
    const { isAlive, address } = await ownership.holderOf(run.fields);
    if (isAlive) yield { run: runOf(run), address };
  }
}
