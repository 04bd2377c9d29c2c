import { canonicalJson } from "@cm/object-model";
import { isNote } from "./appended-entries.ts";
import type { LogEntry, OmittedEntry } from "./log-entries.ts";
import { indexedView } from "./log-index.ts";
import { placeOfPart } from "./part-form.ts";
import type { ContextView, PlaceRange, PromptDecision } from "./view.ts";

/** A log in which these entries, and the notes in them, have left the prompt. Places stay what they were. */
export function logAfterOmission(log: readonly LogEntry[], omit: readonly PlaceRange[]): LogEntry[] {
  const left = log.slice();
  for (const [from, to] of omit) {
    for (let at = from; at < to; at += 1) {
      const entry = left[at];
      if (entry !== undefined) left[at] = omittedEntry(entry);
    }
  }
  // A note stands further down than the result it stands in.
  for (let at = omit[0]?.[0] ?? left.length; at < left.length; at += 1) {
    const entry = left[at];
    if (entry !== undefined && isNote(entry) && left[entry.into]?.kind === "omitted") left[at] = omittedEntry(entry);
  }
  return left;
}

/** A view as it is when a decision's entries have left it, with the rest of the decision. Both as they were where none leave. */
export function viewAfterOmission<View extends Pick<ContextView, "log" | "forms">>(
  view: View,
  { omit, ...decision }: PromptDecision,
): { readonly view: View; readonly decision: PromptDecision } {
  if (omit === undefined || omit.length === 0) return { view, decision };
  const log = logAfterOmission(view.log, omit);
  const forms = new Map([...view.forms].filter(([part]) => log[placeOfPart(part)]?.kind !== "omitted"));
  return { view: indexedView({ ...view, log, forms }), decision };
}

/** Places as ranges. What left before does not part them. */
export function rangesOf(log: readonly LogEntry[], places: Iterable<number>): readonly PlaceRange[] {
  const ranges: [number, number][] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && leftBetween(log, last[1], place)) last[1] = place + 1;
    else ranges.push([place, place + 1]);
  }
  return ranges;
}

function leftBetween(log: readonly LogEntry[], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (log[at]?.kind !== "omitted") return false;
  return true;
}

/** Characters that an entry has in the plain log: text and arguments as JSON, of notes none. */
export function plainCharsOf(entry: LogEntry): number {
  if (isNote(entry)) return 0;
  // No default: the compiler says here that a new kind of entry is not counted.
  switch (entry.kind) {
    case "user":
      return entry.text.length;
    case "assistant":
      return entry.calls.reduce((sum, { args }) => sum + canonicalJson(args).length, entry.text.length);
    case "result":
      return entry.text?.length ?? 0;
    case "omitted":
      return entry.chars;
  }
}

function omittedEntry(entry: LogEntry): OmittedEntry {
  if (entry.kind === "omitted") return entry;
  const { at, step, turn } = entry;
  const chars = plainCharsOf(entry);
  if (isNote(entry)) return { kind: "omitted", was: "note", at, step, turn, chars };
  if (entry.kind !== "result") return { kind: "omitted", was: entry.kind, at, step, turn, chars };
  const { callId, tool, object } = entry;
  return { kind: "omitted", was: "result", at, step, turn, chars, callId, tool, object };
}
