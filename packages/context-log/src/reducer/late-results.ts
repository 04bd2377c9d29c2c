import type { AssistantEntry, LogEntry, ResultEntry } from "../log-entries.ts";
import { argsPart } from "../part-form.ts";
import type { MutableState } from "../state/log-state.ts";
import { type OpenCall, OpenCalls } from "../state/open-calls.ts";

type Log = Pick<MutableState, "log" | "recorded" | "erasedAt">;

/**
 * A call of an earlier step has its result, and so an object that has its arguments. What was erased of its answer that
 * object would bring back, so that call stays without one.
 * @param open the call that waited; undefined for a result that came with its answer, or for no call of the log
 * @returns the key of the arguments that have an object now
 */
export function takeLateResult(state: Log, open: OpenCall | undefined, result: ResultEntry): string | undefined {
  if (open === undefined || state.erasedAt.has(open.at)) return undefined;
  const answered = (entry: LogEntry | undefined): AssistantEntry | undefined =>
    entry?.kind === "assistant" ? withObject(entry, open.call, result) : undefined;
  const [now, recorded] = [answered(state.log[open.at]), answered(state.recorded.get(open.at))];
  if (now === undefined) return undefined;
  state.log[open.at] = now;
  if (recorded !== undefined) state.recorded.set(open.at, recorded);
  return argsPart(open.at, open.call);
}

/** The same for a whole log whose entries are as their steps say. */
export function takeLateResults(state: Log): void {
  const openCalls = new OpenCalls();
  for (const entry of state.log) {
    if (entry.kind === "assistant") openCalls.asked(entry);
    else if (entry.kind === "result") takeLateResult(state, openCalls.answered(entry), entry);
  }
}

const withObject = (entry: AssistantEntry, place: number, { object, files }: ResultEntry): AssistantEntry => ({
  ...entry,
  calls: entry.calls.map((call, at) => (at === place ? { ...call, object, files } : call)),
});
