import type { JsonValue } from "@cm/object-model";
import { isNote } from "../appended-entries.ts";
import { type FlatRest, type FlatState, type Key, mark, sortedTables, type Table } from "../keyframe/flat-state.ts";
import type { LogEntry, NoteEntry } from "../log-entries.ts";
import type { RecalledOrigin, ResumedOrigin } from "../path/origins.ts";
import { flatTold, isTold } from "../told-notes.ts";
import type { ViewObject } from "../view.ts";
import type { LogState } from "./log-state.ts";
import { droppedTable, indexTable, keyIn, objectRows, omittedTable, stepRows } from "./state-in-place.ts";

/**
 * Reads the state where it lies, as long as that does not change: of what grows with the session only what is asked for
 * is made. Undefined for the few states whose texts are not found again by what is known of them: files that took another
 * one's place, objects that the store has lost, text of a step that was erased. They are read from their first step.
 * @param chain before the newest step
 */
export function flatState(state: LogState, chain: string): FlatState | undefined {
  const { head, successions, missing, log, recorded } = state;
  if (head === null || successions.size > 0 || missing.size > 0 || state.erasedAt.size > 0) return undefined;
  const key = keyIn(state);
  const keys = (ids: Iterable<string>): Table => new Map([...ids].map((id) => [key(id), 1]));
  const newestAnswer = log.findLastIndex(({ kind }) => kind === "assistant");
  const notes = notesOf(state);
  const { counted, ledger, billing, checkouts, complete, answered, turn, depth, toolcallCount, plainChars } = state;
  if ([...state.forms.keys()].some((part) => !state.formedAt.has(part))) return undefined;
  if (notes === undefined) return undefined;
  for (const [id, object] of state.objects.keptAsTheyAre()) if (!isToldById(id, object, state)) return undefined;
  if ([...recorded.keys()].some((at) => log[at] !== undefined && isNote(log[at]))) return undefined;
  const { sets } = state;
  return {
    rest: {
      ...{
        chain,
        session: state.session,
        head,
        depth,
        turn,
        answered,
        toolcallCount,
        logLength: log.length,
        plainChars,
      },
      ...{ ledger, billing, counted, checkouts, complete, newestAnswer },
      waiting: waitingCalls(state),
      requestedAtMs: state.requestedAtMs ?? null,
      model: state.model ?? null,
      gapAt: state.gapAt ?? null,
    },
    rows: { steps: stepRows(state), objects: objectRows(state), folds: state.folds.map(({ step }) => step) },
    tables: sortedTables({
      index: indexTable(state),
      pool: keys(sets.pool),
      active: keys(sets.active),
      pinned: keys(sets.pinned),
      dismissed: keys(sets.dismissed),
      requested: keys(sets.requested),
      idle: keys(state.idle),
      dropped: droppedTable(state),
      shown: new Map([...state.shown].map(([id, count]) => [key(id), count])),
      inSight: new Map(
        [...state.inSight].map(([id, { contentHash, display, succeeds }]) => [
          key(id),
          [contentHash, display ?? null, succeeds ?? null, hasPart(state.objects.get(id)) ? 1 : 0],
        ]),
      ),
      seenAt: new Map([...state.seenAt].map(([id, at]) => [key(id), at])),
      forms: new Map([...state.forms.keys()].map((part) => [part, state.formedAt.get(part) ?? -1])),
      amended: state.amendedAt,
      notes,
      omitted: omittedTable(state),
    }),
  };
}

/** Of a file without a text of its own: whether a part that was seen stands in for it. */
const hasPart = (object: ViewObject | undefined): boolean => object?.textless !== undefined && object.text !== null;

/** Whether what a row says of an object makes it again. */
function isToldById(id: string, { id: own, kind, textless }: ViewObject, { inSight }: LogState): boolean {
  return own === id && (kind !== "file" || textless === "erased" || inSight.has(id));
}

/** Where the log has the calls that wait. */
const waitingCalls = ({ openCalls }: LogState): FlatRest["waiting"] =>
  [...openCalls.all].map(([callId, open]) => [callId, open.map(({ at, call }) => [at, call])]);

/** Texts are hashed once. */
const known = new WeakMap<LogEntry, JsonValue>();

/** The notes that stand in the log, each by what makes it again. */
function notesOf({ log, origins }: LogState): Table | undefined {
  const notes = new Map<Key, JsonValue>();
  for (const entry of log) {
    if (!isNote(entry)) continue;
    const note = known.get(entry) ?? noteOf(entry, origins.get(entry.at));
    if (note === undefined) return undefined;
    known.set(entry, note);
    notes.set(entry.at, note);
  }
  return notes;
}

function noteOf(entry: NoteEntry, origin: RecalledOrigin | ResumedOrigin | undefined): JsonValue | undefined {
  if (isTold(entry)) return flatTold(entry);
  if (entry.kind === "recalled") {
    if (origin === undefined || "files" in origin) return undefined;
    const { into, object, input, text, textless } = entry;
    const { contentHash = null, display = null, part = null } = origin;
    return [into, object, input === true ? 1 : 0, mark(text), textless ?? null, contentHash, display, part];
  }
  if (origin === undefined || !("files" in origin)) return undefined;
  const files = entry.files.map(({ before, after, textless }, place) => {
    const { before: hash = null, display = null } = origin.files[place] ?? {};
    return [
      before === null ? null : mark(before),
      hash,
      after === null ? null : mark(after),
      display,
      textless ?? null,
    ];
  });
  return [entry.into, files, origin.unreachable.map((display) => display ?? null)];
}
