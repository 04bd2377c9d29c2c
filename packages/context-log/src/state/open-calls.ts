import type { AssistantEntry, CallEntry, ResultEntry } from "../log-entries.ts";

/** A call of the log whose result may still come: the place of its answer, and which of that one's calls it is. */
export interface OpenCall extends Pick<CallEntry, "tool" | "args"> {
  readonly at: number;
  readonly call: number;
}

/** Calls without a result. Providers use an id again, so several calls may wait under one; the oldest is answered first. */
export class OpenCalls {
  readonly #waiting = new Map<string, OpenCall[]>();
  /** The calls of the newest answer that have their results, by object. */
  #answered: ReadonlyMap<string, OpenCall> = new Map();

  asked({ at, calls }: AssistantEntry): void {
    const answered = new Map<string, OpenCall>();
    for (const [call, { callId, tool, args, object }] of calls.entries()) {
      const open = { tool, args, at, call };
      const waiting = this.#waiting.get(callId);
      if (object !== undefined) answered.set(object, open);
      else if (waiting === undefined) this.#waiting.set(callId, [open]);
      else waiting.push(open);
    }
    this.#answered = answered;
  }

  /** @returns the call that waits no longer; undefined where the result came with the newest answer, or for no call */
  answered({ callId, object }: Pick<ResultEntry, "callId" | "object">): OpenCall | undefined {
    if (this.#answered.has(object)) return undefined;
    const waiting = this.#waiting.get(callId);
    const call = waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(callId);
    return call;
  }

  /** The answer leaves the prompt: those of its calls that wait were interrupted. */
  left({ at, calls }: AssistantEntry): void {
    for (const { callId } of calls) {
      const waiting = this.#waiting.get(callId)?.filter((call) => call.at !== at) ?? [];
      if (waiting.length === 0) this.#waiting.delete(callId);
      else this.#waiting.set(callId, waiting);
    }
  }

  /** The call that a result belongs to. */
  callOf({ callId, object }: Pick<ResultEntry, "callId" | "object">): Pick<OpenCall, "tool" | "args"> | undefined {
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
