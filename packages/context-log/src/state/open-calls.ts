import type { AssistantEntry, CallEntry, ResultEntry } from "../log-entries.ts";

/** A call of the log whose result may still come. */
export type OpenCall = Pick<CallEntry, "tool" | "args">;

/** Calls without a result. Providers use an id again, so several calls may wait under one; the oldest is answered first. */
export class OpenCalls {
  readonly #waiting = new Map<string, OpenCall[]>();
  /** The calls of the newest answer that have their results, by object. */
  #answered: ReadonlyMap<string, OpenCall> = new Map();

  asked({ calls }: AssistantEntry): void {
    this.#answered = new Map(
      calls.flatMap((call) => (call.object === undefined ? [] : [[call.object, call] as const])),
    );
    for (const { callId, tool, args, object } of calls) {
      if (object !== undefined) continue;
      const waiting = this.#waiting.get(callId);
      if (waiting === undefined) this.#waiting.set(callId, [{ tool, args }]);
      else waiting.push({ tool, args });
    }
  }

  answered({ callId, object }: Pick<ResultEntry, "callId" | "object">): void {
    if (this.#answered.has(object)) return;
    const waiting = this.#waiting.get(callId);
    waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(callId);
  }

  /** The answer leaves the prompt: those of its calls that wait were interrupted. */
  left({ calls }: AssistantEntry): void {
    for (const { callId, args, object } of calls) {
      if (object !== undefined) continue;
      const waiting = this.#waiting.get(callId)?.filter((call) => call.args !== args) ?? [];
      if (waiting.length === 0) this.#waiting.delete(callId);
      else this.#waiting.set(callId, waiting);
    }
  }

  /** The call that a result belongs to. */
  callOf({ callId, object }: Pick<ResultEntry, "callId" | "object">): OpenCall | undefined {
    return this.#answered.get(object) ?? this.waiting(callId)[0];
  }

  /** All calls that wait, by their ids; those of one id oldest first. */
  get all(): ReadonlyMap<string, readonly OpenCall[]> {
    return this.#waiting;
  }

  /** @param newest the newest answer; its own calls are among those that wait already */
  static of(waiting: Iterable<readonly [string, readonly OpenCall[]]>, newest: AssistantEntry | undefined): OpenCalls {
    const calls = new OpenCalls();
    if (newest !== undefined)
      calls.asked({ ...newest, calls: newest.calls.filter((call) => call.object !== undefined) });
    for (const [callId, open] of waiting) calls.#waiting.set(callId, [...open]);
    return calls;
  }

  copy(): OpenCalls {
    const copy = OpenCalls.of(this.#waiting, undefined);
    copy.#answered = this.#answered;
    return copy;
  }

  /** The calls that wait under an id, oldest first. */
  waiting(callId: string): readonly OpenCall[] {
    return this.#waiting.get(callId) ?? [];
  }
}
