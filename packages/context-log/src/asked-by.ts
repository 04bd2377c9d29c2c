import type { LogEntry } from "./log-entries.ts";

/**
 * By the place of a result, the place of the answer that asked for it. A result is its call's object; where that call got none,
 * because its answer was erased, it has the id of a call that waits, of which the oldest is answered first, since providers use
 * an id again. A result is absent where the log does not show its call any more.
 */
export function askedBy(log: readonly LogEntry[]): ReadonlyMap<number, number> {
  const asked = new Map<number, number>();
  const calls = new Map<string, number[]>();
  for (const entry of log) {
    if (entry.kind === "assistant") {
      for (const { object, callId } of entry.calls) {
        const key = object === undefined ? waitingKey(callId) : objectKey(object);
        const places = calls.get(key);
        if (places === undefined) calls.set(key, [entry.at]);
        else places.push(entry.at);
      }
    }
    if (entry.kind !== "result") continue;
    const at = calls.get(objectKey(entry.object))?.shift() ?? calls.get(waitingKey(entry.callId))?.shift();
    if (at !== undefined) asked.set(entry.at, at);
  }
  return asked;
}

const objectKey = (object: string): string => `object ${object}`;
const waitingKey = (callId: string): string => `call ${callId}`;
