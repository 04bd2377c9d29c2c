import type { AGUIEvent } from "@ag-ui/core";
import type { Run, RunEnd, StepState, UsageSummary } from "@cm/lineage";
import type { AgentOutcome } from "../agent/agent-outcome.ts";
import type { ModelUsage } from "../agent/run-usage.ts";
import { usageSummary } from "../events/usage-words.ts";

/** What is committed of a run; undefined where it has failed, or was interrupted before it did anything. */
export function endOf(
  run: Run,
  outcome: AgentOutcome,
  display: readonly AGUIEvent[],
): (RunEnd & { readonly state: StepState }) | undefined {
  const { end, last, text, usage, awaited } = outcome;
  if (end === "failed" || last === undefined) return undefined;
  const pending = awaited.map(({ callId, kind }) => ({ tool_call_id: callId, kind }));
  return {
    status: pending.length > 0 ? "awaiting_tool_results" : "committed",
    state: { step: last.address, basis: last.basis },
    output: text,
    display,
    usage: usageByModel(usage),
    durationMs: Math.max(0, Date.now() - run.created_at),
    pending,
  };
}

const usageByModel = (usage: readonly ModelUsage[]): Readonly<Record<string, UsageSummary>> =>
  Object.fromEntries(usage.map((each) => [`${each.provider}/${each.model}`, usageSummary([each])]));
