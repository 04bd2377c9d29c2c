import { defined } from "@cm/object-model";
import type { LogEntry } from "../log-entries.ts";
import { viewAfterOmission } from "../omitted-entries.ts";
import { foldsInView } from "../state/folds.ts";
import type { MutableState } from "../state/log-state.ts";
import type { PlaceRange, ViewObject } from "../view.ts";

/**
 * Entries leave the log for good: their places stay, their texts are in the store alone from here on. So what an open
 * session holds in memory follows what its prompt shows, and not how long it goes on.
 */
export function omit(state: MutableState, ranges: readonly PlaceRange[] = []): void {
  if (ranges.length === 0) return;
  const before = state.log;
  const { view } = viewAfterOmission({ log: before, forms: state.forms }, { omit: ranges });
  for (const [from, to] of ranges) {
    for (let at = from; at < to; at += 1) {
      const entry = state.recorded.get(at) ?? before[at];
      if (entry?.kind === "assistant") state.openCalls.left(entry);
    }
  }
  state.log = view.log as LogEntry[];
  keepRows(state, ranges[0]?.[0]);
  for (const part of state.forms.keys()) {
    if (view.forms.has(part)) continue;
    state.forms.delete(part);
    state.formedAt.delete(part);
  }
  state.folds = foldsInView(state.folds, state.log);
  const isGone = (at: number): boolean => state.log[at]?.kind === "omitted";
  for (const [file, at] of state.seenAt) if (isGone(at)) state.seenAt.delete(file);
  for (const at of state.recorded.keys()) if (isGone(at)) state.recorded.delete(at);
  for (const at of state.origins.keys()) if (isGone(at)) state.origins.delete(at);
}

/** What stands in the log for entries that left it takes little memory. */
export function keepRows({ log, omitted }: MutableState, from = 0): void {
  for (let at = from; at < log.length; at += 1) {
    const entry = log[at];
    if (entry?.kind === "omitted") log[at] = omitted.keep(entry);
  }
}

/** The text of a call that left the prompt is in memory again: until the next step, or as long as something shows it. */
export function bring(state: MutableState, object: ViewObject): void {
  state.objects.set(object.id, object);
  state.brought.add(object.id);
}

/**
 * Outputs that neither a message nor the active set shows any more, however they came to be in memory: with their call, or
 * because they were brought back. Where a text that was brought back still stands, its head says what the call was: those
 * words must not change under it. What others changed of a call the store does not have.
 * @param of these alone; default: all
 */
export function leaveInStore({ objects, sets, log, amendedAt }: MutableState, of?: ReadonlySet<string>): void {
  const gone = new Map<string, ViewObject>();
  for (const [id, object] of objects.keptAsTheyAre()) {
    const isMeant = object.kind === "toolcall" && (of === undefined || of.has(id));
    if (isMeant && !sets.requested.has(id) && !sets.active.has(id)) gone.set(id, object);
  }
  for (const entry of log) if (entry.kind === "result" || entry.kind === "recalled") gone.delete(entry.object);
  for (const key of amendedAt.keys()) {
    const entry = log[Number.parseInt(key, 10)];
    if (entry?.kind === "omitted" && entry.object !== undefined) gone.delete(entry.object);
  }
  for (const [id, object] of gone) if (object.text !== null) objects.set(id, inStore(object));
}

/** The facts of a call that need no look at the store. */
export function inStore({ id, alias, tool, status, redactions }: Omit<ViewObject, "text" | "kind">): ViewObject {
  // There is one for each call that ever left. Written as one literal it has no second block for its properties.
  if (tool !== undefined && status !== undefined && redactions === undefined)
    return { id, alias, kind: "toolcall", text: null, inStore: true, tool, status };
  return { id, alias, kind: "toolcall", text: null, inStore: true, ...defined({ tool, status, redactions }) };
}
