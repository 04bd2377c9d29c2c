import { limits as modelLimits, type Observation, type Source } from "@cm/object-model";
import { limits } from "../limits.ts";

type Requests = Parameters<Source["observe"]>[0];

/** What a source answers within the deadline. One that fails or hangs is one that cannot be reached: no answers. */
export async function observeInTime(source: Source, requests: Requests): Promise<readonly Observation[]> {
  const bounds = { contentBytesMax: modelLimits.contentBytesMax, deadlineMs: limits.observeMs };
  const deadline = new AbortController();
  const { promise: expired, resolve: expire } = Promise.withResolvers<readonly Observation[]>();
  const timer = setTimeout(() => {
    deadline.abort();
    expire([]);
  }, bounds.deadlineMs);
  try {
    return await Promise.race([source.observe(requests, bounds, deadline.signal), expired]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
