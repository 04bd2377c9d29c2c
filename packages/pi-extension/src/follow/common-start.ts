import { type ContextView, isNote, type LogEntry, type ViewObject } from "@cm/context-log";
import type { Session } from "@cm/session";
import type { Redactor } from "@cm/sources-fs";
import type { BranchItem } from "../branch/branch-item.ts";
import { callsOf } from "../branch/calls-of.ts";
import { blocksOf, saidOf } from "../branch/said-text.ts";

/** What is compared of a session. */
export type RecordedSession = Pick<Session, "recorded" | "view">;

/**
 * How far a session's log, as it was recorded, and a branch say the same: the number of items that the whole log covers, or undefined where
 * the log says something else, or more than the branch.
 */
export function itemsCovered(
  session: RecordedSession,
  items: readonly BranchItem[],
  redact: Redactor,
): number | undefined {
  const log = session.recorded();
  // A view is a copy of the whole session: one is taken, and only where an output has no text.
  let objects: ContextView["objects"] | undefined;
  const isGone = (object: string): boolean => {
    objects ??= session.view().objects;
    return isErasedOrLost(objects.get(object));
  };
  let place = 0;
  for (const entry of log) {
    if (isNote(entry)) continue;
    const item = items[place];
    if (entry.kind === "omitted") {
      // What left the prompt says what its place on the branch says: of it only the order is known here.
      if (entry.was === "note" || (entry.was === "result" && item?.kind !== "result")) continue;
      if (item?.kind !== kinds[entry.was]) return undefined;
      place += 1;
      continue;
    }
    // A call that Pi never got a result for has one in the log alone.
    if (entry.kind === "result" && entry.text === null && item?.kind !== "result") continue;
    if (item === undefined || !hasEqualContent(entry, item, { isGone, redact })) return undefined;
    place += 1;
  }
  return place;
}

const kinds = { user: "said", assistant: "answer", result: "result" } as const;

function hasEqualContent(
  entry: LogEntry,
  item: BranchItem,
  { isGone, redact }: { readonly isGone: (object: string) => boolean; readonly redact: Redactor },
): boolean {
  switch (item.kind) {
    case "said":
      return entry.kind === "user" && isSameText(entry.text, saidOf(item).text, redact);
    case "result":
      // Ids come from models, and some count: another Pi with the same session has other outputs under them.
      return (
        entry.kind === "result" &&
        entry.callId === item.message.toolCallId &&
        (entry.text === null
          ? isGone(entry.object)
          : isSameText(entry.text, blocksOf(item.message.content).text, redact))
      );
    case "answer": {
      if (entry.kind !== "assistant") return false;
      const ids = callsOf(item.message).map(({ id }) => id);
      if (ids.length !== entry.calls.length || ids.some((id, place) => id !== entry.calls[place]?.callId)) return false;
      return isSameText(entry.text, textOf(item), redact);
    }
  }
}

/** Of a call that has its output on this branch alone, the log is that of another one: `/tree` went back to before it. */
const isErasedOrLost = (object: Pick<ViewObject, "textless"> | undefined): boolean =>
  object?.textless === "erased" || object?.textless === "missing";

const textOf = ({ message }: Extract<BranchItem, { kind: "answer" }>): string =>
  message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

/** Erased text has a mark and is taken for the same. */
function isSameText(stored: string, text: string, redact: Redactor): boolean {
  const whole = text.toWellFormed();
  return stored === whole || stored === "[erased]" || stored === redact(whole).text;
}
