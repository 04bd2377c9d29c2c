import type { LogEntry } from "../log-entries.ts";
import { plainCharsOf } from "../omitted-entries.ts";
import type { MutableState } from "../state/log-state.ts";
import { objectsShownBy } from "../state/residency.ts";

/** Puts an entry at the end of the log, with what it shows. */
export function push(state: MutableState, entry: LogEntry): void {
  state.log.push(entry);
  state.plainChars += plainCharsOf(entry);
  for (const id of objectsShownBy(entry)) countShown(state, id, 1);
}

/** An object stands in full once more, or once less. */
export function countShown(state: MutableState, id: string, by: 1 | -1): void {
  // Of a file in whose place another one stands, that one counts.
  const newest = state.successions.newest(id);
  const count = (state.shown.get(newest) ?? 0) + by;
  if (count === 0) state.shown.delete(newest);
  else state.shown.set(newest, count);
}

/** Where the next entry stands that no message brought. */
export const placeAtEnd = ({ log, depth, turn }: MutableState) => ({
  at: log.length,
  step: depth,
  turn: Math.max(0, turn),
});
