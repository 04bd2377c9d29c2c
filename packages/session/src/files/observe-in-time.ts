import { limits as modelLimits, type Observation, type Source, withDeadline } from "@cm/object-model";
import { limits } from "../limits.ts";

type Requests = Parameters<Source["observe"]>[0];

/** What a source answers within the deadline. One that fails or hangs is one that cannot be reached: no answers. */
export async function observeInTime(source: Source, requests: Requests): Promise<readonly Observation[]> {
  const bounds = { contentBytesMax: modelLimits.contentBytesMax, deadlineMs: limits.observeMs };
  const deadline = new AbortController();
  try {
    return await withDeadline(source.observe(requests, bounds, deadline.signal), bounds.deadlineMs, () => {
      deadline.abort();
      return [];
    });
  } catch {
    return [];
  }
}
