import type { RecordedAssistant, RecordedEvent, RecordedResult, RecordedUser } from "@cm/recordings";

/** One model call of a recording: what came before its request, its answer, and the results of its own calls. */
export interface ModelCall {
  readonly before: readonly (RecordedUser | RecordedResult)[];
  readonly answer: RecordedAssistant;
  readonly results: readonly RecordedResult[];
}

/**
 * Cuts a recording into model calls and keeps the order of events: results count to the answer as long as they follow
 * it directly and belong to it; whatever else comes in between stands before the next request.
 */
export function modelCalls(events: readonly RecordedEvent[]): readonly ModelCall[] {
  const calls: ModelCall[] = [];
  let before: (RecordedUser | RecordedResult)[] = [];
  for (let at = 0; at < events.length; at += 1) {
    const event = events[at];
    if (event === undefined) continue;
    if (event.kind !== "assistant") {
      before.push(event);
      continue;
    }
    const results = resultsOf(event, events, at + 1);
    calls.push({ before, answer: event, results });
    before = [];
    at += results.length;
  }
  return calls;
}

function resultsOf(
  answer: RecordedAssistant,
  events: readonly RecordedEvent[],
  from: number,
): readonly RecordedResult[] {
  const own = new Set(answer.calls.map(({ id }) => id));
  const results: RecordedResult[] = [];
  for (let at = from; at < events.length; at += 1) {
    const event = events[at];
    if (event?.kind !== "result" || !own.has(event.callId)) break;
    results.push(event);
  }
  return results;
}
