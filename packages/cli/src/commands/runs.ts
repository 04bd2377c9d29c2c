import { type Run, readLineage } from "@cm/lineage";
import { countText, durationText, isoText, momentText } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { findRecord, runsOf, statusWords } from "../objects/find-lineage.ts";

const columns = [
  { title: "run", shrinks: true },
  { title: "conversation", shrinks: true },
  { title: "status" },
  { title: "step", shrinks: true },
  { title: "tokens", align: "right" },
  { title: "took", align: "right" },
  { title: "begun" },
  { title: "failure", shrinks: true },
] as const;

export function runsCommand(run: CommandRun): Command {
  const command = new Command("runs")
    .description("list the runs that servers made, newest first")
    .argument("[conversation]", "only those of one conversation");
  return command.action((text: string | undefined) =>
    run.run(command, async ({ output, open }) => {
      const store = await open();
      const filter = text === undefined ? {} : { conversationId: await findRecord(store, "conversation", text) };
      const runs = await runsOf(readLineage({ store }), filter);
      if (output.json) for (const each of runs) await output.value(runValue(each));
      else if (runs.length === 0) output.note("There is no run in this store; servers (`npx @cm/server`) write them.");
      else await output.table(columns, runs.map(runRow));
      return undefined;
    }),
  );
}

const runRow = (run: Run): readonly string[] => [
  run.session_id,
  run.conversation_id,
  statusText(run),
  stepText(run),
  run.run_summary === null ? "" : countText(run.run_summary.usage.total_tokens),
  run.run_summary === null ? "" : durationText(run.run_summary.duration_ms),
  momentText(run.created_at),
  run.failure ?? "",
];

/** What became of it, in words. */
export function statusText({ status, subagent_name: name }: Pick<Run, "status" | "subagent_name">): string {
  return name === null ? statusWords[status] : `${statusWords[status]} (${name})`;
}

/** The step that its snapshot is: what `cm at` and `cm fork` take. */
export function stepText({ state }: Pick<Run, "state">): string {
  return typeof state === "object" && state !== null ? `${state.step.session}@${state.step.n}` : "";
}

function runValue(run: Run) {
  const { session_id, conversation_id, parent_session_id, status, session_type, spawned_by, subagent_name, preset_id } =
    run;
  return {
    ...{ run: session_id, conversation: conversation_id, parent: parent_session_id, status, type: session_type },
    ...{ spawnedBy: spawned_by, subagent: subagent_name, preset: preset_id, step: stepText(run) || null },
    ...{ summary: run.run_summary, failure: run.failure, pending: run.pending.length },
    createdAt: isoText(run.created_at),
    endedAt: run.ended_at === null ? null : isoText(run.ended_at),
  };
}
