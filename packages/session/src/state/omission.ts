import { type LogEntry, type PlaceRange, type ViewObject, viewAfterOmission } from "@cm/object-model";
import type { SessionState } from "./session-state.ts";

/**
 * Entries leave the log for good: their places stay, their texts are in the store alone from here on. So what an open
 * session holds in memory follows what its prompt shows, and not how long it goes on.
 */
export function omit(state: SessionState, ranges: readonly PlaceRange[] | undefined): void {
  if (ranges === undefined || ranges.length === 0) return;
  const before = state.log;
  const { view } = viewAfterOmission({ log: before, forms: state.forms }, { omit: ranges });
  state.log = view.log as LogEntry[];
  for (const part of state.forms.keys()) if (!view.forms.has(part)) state.forms.delete(part);
  state.formsChanged = [];
  for (const [from, to] of ranges) for (const entry of before.slice(from, to)) leaveInStore(state, entry);
  const isGone = (at: number): boolean => state.log[at]?.kind === "omitted";
  for (const [file, at] of state.seenAt) if (isGone(at)) state.seenAt.delete(file);
  for (const at of state.recorded.keys()) if (isGone(at)) state.recorded.delete(at);
}

/** The output of a call that no message shows any more. What others changed of it stays: the store has it as it was. */
function leaveInStore({ objects, sets, recorded }: SessionState, entry: LogEntry): void {
  if (entry.kind !== "result" || sets.requested.has(entry.object) || recorded.has(entry.at)) return;
  const object = objects.get(entry.object);
  if (object?.kind === "toolcall" && object.text !== null) objects.set(entry.object, inStore(object));
}

const inStore = ({ text: _text, ...object }: ViewObject): ViewObject => ({ ...object, text: null, inStore: true });
