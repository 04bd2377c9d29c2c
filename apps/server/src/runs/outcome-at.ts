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
  const id = stepId(address);
  const { document, basis } = (await store.getMany([id])).get(id) ?? {};
  if (document === undefined || basis === undefined || !isDocumentOf(document, "step")) return undefined;
  const answer = document.messages.findLast(({ role }) => role === "assistant");
  // An answer that was cut off by its length is gone on with.
  if (answer?.role !== "assistant" || answer.stop_reason === "length") return undefined;
  const { text, calls = [] } = answer;
  const awaited = calls
    .filter(({ object }) => object === undefined)
    .map(({ call_id: callId, tool }): AwaitedCall => {
      // What has a body here waits for nothing but an approval.
      const kind = isCodingTool(tool) || approve.includes(tool) ? "approval" : "call";
      return { callId, tool, kind };
    });
  if (calls.length > 0 && awaited.length === 0) return undefined;
  const end = awaited.length > 0 ? "awaiting" : "answered";
  return { end, last: { address, basis }, text, usage: [], awaited };
}
