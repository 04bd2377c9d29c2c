import { limits } from "../limits.ts";
import type { AssistantEntry, CallEntry, ResultEntry } from "../log-entries.ts";

/** A call of the log whose result may still come: the place of its answer, and which of that one's calls it is. */
export interface OpenCall extends Pick<CallEntry, "tool" | "args"> {
  readonly at: number;
  readonly call: number;
}

/**
 * Calls without a result. Providers use an id again, so several calls may wait under one; the oldest is answered first, but
 * one whose answer has left the prompt only where no other waits.
 */
export class OpenCalls {
  readonly #waiting = new Map<string, OpenCall[]>();
  /** Of the answers that left, the newest under each id: a result that comes after all is of that tool. */
  readonly #left = new Map<string, OpenCall>();
  /** The calls of the newest answer that have their results, by object. */
  #answered: ReadonlyMap<string, OpenCall> = new Map();

  asked({ at, calls }: AssistantEntry): void {
    const answered = new Map<string, OpenCall>();
    for (const [call, { callId, tool, args, object }] of calls.entries()) {
      const open = { tool, args, at, call };
      const waiting = this.#waiting.get(callId);
      this.#left.delete(callId);
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
    if (call === undefined) this.#left.delete(callId);
    if (waiting?.length === 0) this.#waiting.delete(callId);
    return call;
  }

  /** The answer leaves the prompt: those of its calls that wait were interrupted. */
  left({ at, calls }: AssistantEntry): void {
    for (const { callId } of calls) {
      const open = this.#waiting.get(callId) ?? [];
      const waiting = open.filter((call) => call.at !== at);
      for (const call of open) if (call.at === at) this.#keep(callId, call);
      if (waiting.length === 0) this.#waiting.delete(callId);
      else this.#waiting.set(callId, waiting);
    }
  }

  /** The call that a result belongs to. */
  callOf({ callId, object }: Pick<ResultEntry, "callId" | "object">): Pick<OpenCall, "tool" | "args"> | undefined {
    return this.#answered.get(object) ?? this.waiting(callId)[0];
  }

  /** By their ids; those of one id in the order in which they are answered. */
  get all(): ReadonlyMap<string, readonly OpenCall[]> {
    const ids = new Set([...this.#left.keys(), ...this.#waiting.keys()]);
    return new Map([...ids].map((callId) => [callId, this.waiting(callId)]));
  }

  /**
   * @param newest the newest answer; its own calls are among those that wait already
   * @param hasLeft whether the answer at a place has left the prompt
   */
  static of(
    all: Iterable<readonly [string, readonly OpenCall[]]>,
    newest: AssistantEntry | undefined,
    hasLeft: (place: number) => boolean,
  ): OpenCalls {
    const calls = new OpenCalls();
    if (newest !== undefined)
      calls.asked({ ...newest, calls: newest.calls.filter((call) => call.object !== undefined) });
    for (const [callId, open] of all) {
      const waiting = open.filter(({ at }) => !hasLeft(at));
      if (waiting.length > 0) calls.#waiting.set(callId, waiting);
      for (const call of open) if (hasLeft(call.at)) calls.#keep(callId, call);
    }
    return calls;
  }

  copy(): OpenCalls {
    const copy = OpenCalls.of(this.#waiting, undefined, () => false);
    for (const [callId, call] of this.#left) copy.#left.set(callId, call);
    copy.#answered = this.#answered;
    return copy;
  }

  /** The calls that wait under an id, in the order in which they are answered. */
  waiting(callId: string): readonly OpenCall[] {
    const waiting = this.#waiting.get(callId) ?? [];
    const left = this.#left.get(callId);
    return left === undefined ? waiting : [...waiting, left];
  }

  #keep(callId: string, call: OpenCall): void {
    this.#left.delete(callId);
    this.#left.set(callId, call);
    const [oldest = callId] = this.#left.keys();
    if (this.#left.size > limits.leftCallsMax) this.#left.delete(oldest);
  }
}
