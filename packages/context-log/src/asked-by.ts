import type { AssistantEntry, LogEntry, ResultEntry } from "./log-entries.ts";

/**
 * The calls of a log, read in its order. A result is its call's object; where that call got none, because its answer was
 * erased, it has the id of a call that waits, of which the oldest is answered first, since providers use an id again.
 */
export class AskedCalls {
  readonly #answers = new Map<string, number[]>();

  ask({ at, calls }: Pick<AssistantEntry, "at" | "calls">): void {
    for (const { object, callId } of calls) {
      const key = object === undefined ? waitingKey(callId) : objectKey(object);
      const places = this.#answers.get(key);
      if (places === undefined) this.#answers.set(key, [at]);
      else places.push(at);
    }
  }

  /** The place of the answer that asked for a result; undefined where the log does not show its call any more. */
  answer({ object, callId }: Pick<ResultEntry, "object" | "callId">): number | undefined {
    return this.#oldest(objectKey(object)) ?? this.#oldest(waitingKey(callId));
  }

  #oldest(key: string): number | undefined {
    const places = this.#answers.get(key);
    const at = places?.shift();
    if (places?.length === 0) this.#answers.delete(key);
    return at;
  }
}

/** By the place of a result, the place of the answer that asked for it. A result of no call that stands is absent. */
export function askedBy(log: readonly LogEntry[]): ReadonlyMap<number, number> {
  const asked = new Map<number, number>();
  const calls = new AskedCalls();
  for (const entry of log) {
    if (entry.kind === "assistant") calls.ask(entry);
    const at = entry.kind === "result" ? calls.answer(entry) : undefined;
    if (at !== undefined) asked.set(entry.at, at);
  }
  return asked;
}

const objectKey = (object: string): string => `object ${object}`;
const waitingKey = (callId: string): string => `call ${callId}`;
