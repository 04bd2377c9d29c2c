import { isDocumentOf, type ObjectStore, type StepAddress, stepId } from "@cm/object-model";
import type { AgentOutcome, AwaitedCall } from "../agent/agent-outcome.ts";
import type { Preset } from "../presets/preset-schema.ts";
import { isCodingTool } from "../tools/coding-tools.ts";

/**
 * What a run came to whose newest step this is, where that step was its end: an answer, or calls that wait for others.
 * Undefined for a step behind which the model is asked again.
 */
export async function outcomeAt(
  address: StepAddress,
  { approve }: Pick<Preset, "approve">,
  store: ObjectStore,
): Promise<AgentOutcome | undefined> {
  const found = await outcomeCutAt(address, { approve }, store);
  // An answer that was cut off by its length is gone on with.
  if (found === undefined || found.stopReason === "length") return undefined;
  const { outcome, calls } = found;
  if (calls > 0 && outcome.awaited.length === 0) return undefined;
  return { ...outcome, end: outcome.awaited.length > 0 ? "awaiting" : "answered" };
}

/** What a run came to that was ended behind this step, whether or not it was done. */
export async function outcomeCutAt(
  address: StepAddress,
  { approve }: Pick<Preset, "approve">,
  store: ObjectStore,
): Promise<CutOutcome | undefined> {
  const id = stepId(address);
  const { document, basis } = (await store.getMany([id])).get(id) ?? {};
  if (document === undefined || basis === undefined || !isDocumentOf(document, "step")) return undefined;
  const answer = document.messages.findLast(({ role }) => role === "assistant");
  if (answer?.role !== "assistant") return undefined;
  const { text, calls = [], stop_reason: stopReason } = answer;
  const awaited = calls
    .filter(({ object }) => object === undefined)
    .map(({ call_id: callId, tool }): AwaitedCall => {
      // What has a body here waits for nothing but an approval.
      const kind = isCodingTool(tool) || approve.includes(tool) ? "approval" : "call";
      return { callId, tool, kind };
    });
  const outcome = { end: "interrupted" as const, last: { address, basis }, text, usage: [], awaited };
  return { outcome, calls: calls.length, stopReason };
}

interface CutOutcome {
  readonly outcome: AgentOutcome;
  /** How many calls the step's answer has. */
  readonly calls: number;
  readonly stopReason: string | undefined;
}
