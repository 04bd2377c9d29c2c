import type { FilesystemBinding, Observation, ObserveRequest, ReadLimits } from "@cm/object-model";
import type { EndReason, Until } from "../indexing/file-thread.ts";
import { fileLimits as limits } from "../limits.ts";
import { reasons } from "../reasons.ts";
import { delay } from "./delay.ts";
import { type ObserverContext, ScanPass } from "./scan-pass.ts";
import type { PendingRequest } from "./scan-plan.ts";

/**
 * Answers all requests: scans once, waits once for all that are missing, scans those again; more often only where
 * folders go on changing. What has no answer when time is up is out of reach.
 */
export async function observe(
  parts: ObserverContext,
  requests: readonly ObserveRequest<FilesystemBinding>[],
  { contentBytesMax, deadlineMs, signal }: ReadLimits & { readonly signal?: AbortSignal | undefined },
): Promise<readonly Observation[]> {
  const deadlineAt = performance.now() + deadlineMs - Math.min(limits.answerMarginMs, deadlineMs / 10);
  const until = (): Until => ({ deadlineMs: Math.max(0, deadlineAt - performance.now()), signal });
  const pass = new ScanPass(parts, requests, contentBytesMax);
  let endReason = await pass.first(until());
  for (let scans = 2; scans <= limits.missingScansMax && endReason === "done"; scans += 1) {
    const todos = pass.takeLeft();
    if (todos.length === 0) break;
    if (todos.some(({ confirm }) => confirm)) endReason = await confirmable(until());
    if (endReason === "done")
      endReason = await pass.again(scans === limits.missingScansMax ? todos.map(lastOf) : todos, until());
  }
  return pass.answers(endReason === "done" ? reasons.changing : endReason);
}

function lastOf(todo: PendingRequest): PendingRequest {
  return { ...todo, last: true };
}

/** A save by rename leaves a gap, so an absence counts when it lasts. */
async function confirmable({ deadlineMs, signal }: Until): Promise<EndReason> {
  if (deadlineMs <= limits.confirmMs) return reasons.timedOut;
  await delay(limits.confirmMs, signal);
  return signal?.aborted ? reasons.aborted : "done";
}
