import type { Lineage, ResolvedCall, Run, StepState } from "@cm/lineage";
import type { SettledCall } from "../agent/agent-outcome.ts";
import { serverError } from "../errors.ts";
import type { RecoveredTask } from "../governance/asked-task.ts";
import type { DeferredToolSetting } from "../presets/preset-schema.ts";
import type { Presets } from "../presets/read-presets.ts";
import type { DelegateHost } from "../tools/delegate-host.ts";
import { environmentOf } from "./environment.ts";
import { isEmptyInput, messageOf, type RunInput, runInput } from "./run-input.ts";
import type { RunPlan, StartingPoint } from "./run-plan.ts";

interface Surroundings {
  readonly lineage: Lineage;
  readonly presets: Presets;
  readonly roots: readonly string[];
}

/**
 * What a run is made of, from its record alone.
 * @throws CmError `server/unknown-preset`, `server/unknown-folder` where its folders are gone meanwhile, `lineage/...`
 */
export async function planOf(
  run: Run,
  delegates: DelegateHost | undefined,
  { lineage, presets, roots }: Surroundings,
): Promise<RunPlan> {
  const { name, preset } = presets.get(run.preset_id ?? undefined);
  const { workspace, projects = [] } = run.environment ?? {};
  const { folders } = environmentOf(workspace === undefined ? projects : presets.workspace(workspace), roots);
  const input = inputOf(run);
  return {
    ...{ presetName: name, preset, folders, delegates },
    from: await startingPoint(run, lineage),
    input: isEmptyInput(input) ? [] : [messageOf(input, run.session_id)],
    settled: (run.resolved as unknown as readonly ResolvedCall[]).map(settledOf),
  };
}

/** The run with what its caller can do: tools without a body, as those of its preset that have none. */
export const withTools = (plan: RunPlan, tools: readonly DeferredToolSetting[]): RunPlan =>
  tools.length === 0 ? plan : { ...plan, preset: { ...plan.preset, tools: [...plan.preset.tools, ...tools] } };

/**
 * A run that goes on with a task that a crash interrupted: behind its last step, where its input is already, else with its
 * input and answers, where the interrupted run began.
 * @throws as `planOf`
 */
export async function recoveredPlan(
  plan: RunPlan,
  { run, recovers }: { readonly run: Run; readonly recovers: RecoveredTask },
  surroundings: Surroundings,
): Promise<RunPlan> {
  const { taskId, at, from: readable } = recovers;
  if (at !== undefined) return { ...plan, from: { kind: "continue", at }, input: [], settled: [] };
  const { from, input, settled } = await planOf(await surroundings.lineage.run(taskId), undefined, surroundings);
  if (readable === "checkpoint") return { ...plan, from, input, settled };
  // What it would answer may be answered by now.
  if (readable === "history") return { ...plan, input };
  // A log that cannot be read stays as it is: the task begins one of its own.
  return { ...plan, from: { kind: "root", session: run.session_id }, input, settled: [] };
}

function inputOf({ input }: Run): RunInput {
  const read = runInput.safeParse(input);
  return read.success ? read.data : "";
}

/**
 * A run without a parent has the session of its conversation, whose earlier runs came to nothing, or as a subagent one of
 * its own name; all that begin a fork have one of its name; others go on in that of their parent.
 */
export async function startingPoint(run: Run, lineage: Pick<Lineage, "run" | "state">): Promise<StartingPoint> {
  const { session_id, session_type: type, conversation_id: conversation, parent_session_id: parent } = run;
  if (parent === null) return { kind: "root", session: type === "agent" ? conversation : session_id };
  const [{ conversation_id: from }, state] = await Promise.all([lineage.run(parent), lineage.state(parent)]);
  if (!isStep(state))
    throw serverError("server/run-failed", "The run before it has no step of a session: another program made it.");
  const { step: at } = state;
  return from === conversation ? { kind: "continue", at } : { kind: "fork", at, session: conversation };
}

const isStep = (state: object): state is StepState => "step" in state;

const settledOf = ({ tool_call_id: callId, automatic, ...said }: ResolvedCall): SettledCall =>
  said.kind === "approval"
    ? { callId, automatic, kind: "approval", approved: said.approved, reason: said.reason }
    : {
        ...{ callId, automatic, kind: "call", failed: said.failed },
        text: typeof said.result === "string" ? said.result : (JSON.stringify(said.result) ?? ""),
      };
