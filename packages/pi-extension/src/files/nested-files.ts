import { fileTouchLimits as limits } from "./file-limits.ts";
import type { RecordedTouch, ToolCall } from "./recorded-touch.ts";

/**
 * Files of calls that tools make inside a call of the model's, such as those of a script. Pi names these calls
 * `<parent>/<n>`; they never stand in the transcript, so their files are handed over with the result of the model's call,
 * and a nested call is never an object of its own.
 */
export class NestedFiles {
  /** By the call that made the call. */
  readonly #touches = new Map<string, RecordedTouch[]>();

  /** @param parent as Pi names it: the model's call, or a nested one */
  add(parent: string, touches: readonly RecordedTouch[]): void {
    const known = this.#touches.get(parent) ?? [];
    if (this.#touches.size >= limits.parentsMax && known.length === 0) this.#forgetOldest();
    // A script may call tools without end.
    known.push(...touches.slice(0, Math.max(0, limits.touchesPerCallMax - known.length)));
    this.#touches.set(parent, known);
  }

  /** What was collected for a call of the model's, calls inside calls with it; asked again, nothing. */
  take(callId: string): readonly RecordedTouch[] {
    const taken: RecordedTouch[] = [];
    for (const [parent, touches] of this.#touches) {
      if (!isInside(parent, callId)) continue;
      taken.push(...touches);
      this.#touches.delete(parent);
    }
    return taken.slice(0, limits.touchesPerCallMax);
  }

  #forgetOldest(): void {
    const [oldest] = this.#touches.keys();
    if (oldest !== undefined) this.#touches.delete(oldest);
  }
}

const isInside = (parent: string, callId: string): boolean =>
  parent.startsWith(callId) && /^(?:\/\d{1,9})*$/.test(parent.slice(callId.length));

/**
 * The files of the nested calls that Pi records on a result (`nestedCalls`, from 1.0 on): all that is left of them when a
 * session is taken up again. Outputs are not recorded, so nothing is discovered. Whatever has another shape is left out.
 *
 * @param touched what one call touched
 */
export function touchesOfRecord(
  record: unknown,
  touched: (call: ToolCall) => readonly RecordedTouch[],
): readonly RecordedTouch[] {
  const calls = isObject(record) && Array.isArray(record.calls) ? record.calls.slice(0, limits.touchesPerCallMax) : [];
  return calls.flatMap((call: unknown): readonly RecordedTouch[] => {
    if (!isObject(call) || typeof call.name !== "string" || !isObject(call.arguments)) return [];
    const failed = call.status !== "ok";
    return touched({ tool: call.name, args: call.arguments, text: "", failed, isNested: true });
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
