import type { FilesystemBinding, Observation, ObserveRequest, ReadLimits } from "@cm/object-model";
import type { Ending, Until } from "../indexing/file-thread.ts";
import { fileLimits as limits } from "../limits.ts";
import { reasons } from "../reasons.ts";
import { LookPass, type ObserverParts } from "./look-pass.ts";
import type { Todo } from "./look-plan.ts";
import { waitFor } from "./wait-for.ts";

/**
 * Answers all requests: looks once, waits once for all that are missing, looks at those again; more often only where
 * folders go on changing. What has no answer when time is up is out of reach.
 */
export async function observe(
  parts: ObserverParts,
  requests: readonly ObserveRequest<FilesystemBinding>[],
  { contentBytesMax, deadlineMs, signal }: ReadLimits & { readonly signal?: AbortSignal | undefined },
): Promise<readonly Observation[]> {
  const deadlineAt = performance.now() + deadlineMs - Math.min(limits.answerMarginMs, deadlineMs / 10);
  const until = (): Until => ({ deadlineMs: Math.max(0, deadlineAt - performance.now()), signal });
  const pass = new LookPass(parts, requests, contentBytesMax);
  let ending = await pass.first(until());
  for (let looks = 2; looks <= limits.missingLooksMax && ending === "done"; looks += 1) {
    const todos = pass.takeLeft();
    if (todos.length === 0) break;
    if (todos.some(({ confirm }) => confirm)) ending = await confirmable(until());
    if (ending === "done")
      ending = await pass.again(looks === limits.missingLooksMax ? todos.map(lastOf) : todos, until());
  }
  return pass.answers(ending === "done" ? reasons.changing : ending);
}

function lastOf(todo: Todo): Todo {
  return { ...todo, last: true };
}

/** A save by rename leaves a gap, so an absence counts when it lasts. */
async function confirmable({ deadlineMs, signal }: Until): Promise<Ending> {
  if (deadlineMs <= limits.confirmMs) return reasons.timedOut;
  await waitFor(limits.confirmMs, signal);
  return signal?.aborted ? reasons.aborted : "done";
}
