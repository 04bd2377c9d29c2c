import { type CostLedger, isNote, type LogEntry, type NoteEntry, type ViewObject } from "@cm/context-log";
import { type JsonValue, type StepAddress, sha256 } from "@cm/object-model";
import type { Billing } from "./billing.ts";
import type { CountedRequest } from "./counted-requests.ts";
import { flatOmitted } from "./flat-omitted.ts";
import type { PathRow, RecalledOrigin, ResumedOrigin } from "./origins.ts";
import type { SessionState } from "./session-state.ts";

/** Places of objects in the order in which the session met them stand for their ids. */
export type Key = number | string;
export type Table = ReadonlyMap<Key, JsonValue>;

/**
 * A session's state without its texts, as plain data: rows that only grow, tables, and the rest. Texts, and whatever an
 * erasure would have to reach, are named by where they are. It is the same for all who know the same: tables are sorted
 * by their keys, but for the two whose order says something.
 */
export interface FlatState {
  readonly rest: FlatRest;
  readonly rows: Readonly<Record<RowName, readonly JsonValue[]>>;
  readonly tables: Readonly<Record<TableName, Table>>;
}

export const rowNames = ["steps", "objects", "folds"] as const;
export type RowName = (typeof rowNames)[number];

export const setTables = ["index", "pool", "active", "pinned", "dismissed", "requested"] as const;
const otherTables = ["idle", "dropped", "shown", "inSight", "seenAt", "forms", "amended", "notes", "omitted"] as const;
export const tableNames = [...setTables, ...otherTables] as const;
export type TableName = (typeof tableNames)[number];
/** In order of entry, and of use. */
export const orderedTables: ReadonlySet<TableName> = new Set(["index", "idle"]);

/** What has the same size however long the session is. */
export interface FlatRest {
  /** Before the newest step, whose own hash is in its document. */
  readonly chain: string;
  readonly session: string;
  readonly head: StepAddress;
  readonly depth: number;
  readonly turn: number;
  readonly answered: boolean;
  readonly requestedAtMs: number | null;
  readonly model: string | null;
  readonly toolcallCount: number;
  readonly logLength: number;
  readonly plainChars: number;
  readonly ledger: CostLedger;
  readonly billing: Billing;
  readonly counted: readonly CountedRequest[];
  readonly checkouts: SessionState["checkouts"];
  readonly complete: boolean;
  readonly gapAt: number | null;
  /** Calls that wait for a result, by their ids: place in the log, and which of the answer. */
  readonly waiting: readonly (readonly [string, readonly (readonly [number, number])[]])[];
  readonly newestAnswer: number;
}

/**
 * The session is empty where it is the one of the step before. With the hash of that step: its own is not known while
 * its keyframe is written.
 */
export type FlatStep = readonly [session: string, n: number, before: string, end: number, turn: number, flags: number];
export const stepFlags = { answered: 1, erased: 2 } as const;
export type FlatObject =
  | readonly ["f", id: string, alias: string, erased: 0 | 1]
  | readonly [
      "t",
      id: string,
      alias: string,
      erased: 0 | 1,
      tool: string,
      status: string,
      redactions: number | null,
      textless: string | null,
    ];

/**
 * Undefined for the few states whose texts are not found again by what is known of them: files that took another one's
 * place, objects that the store has lost, text of a step that was erased. They are read from their first step.
 * @param chain before the newest step
 */
export function flatState(state: SessionState, chain: string): FlatState | undefined {
  const { head, successions, missing, log, recorded } = state;
  if (head === null || successions.size > 0 || missing.size > 0 || state.erasedAt.size > 0) return undefined;
  const places = new Map([...state.objects.keys()].map((id, place) => [id, place]));
  const key = (id: string): Key => places.get(id) ?? id;
  const keys = (ids: Iterable<string>): Table => new Map([...ids].map((id) => [key(id), 1]));
  const objects = [...state.objects].map(([id, object]) => flatObject(id, object, state));
  const waiting = waitingCalls(state);
  const newestAnswer = log.findLastIndex(({ kind }) => kind === "assistant");
  const notes = notesOf(state);
  const { counted, ledger, billing, checkouts, complete, answered, turn, depth, toolcallCount, plainChars } = state;
  if ([...state.forms.keys()].some((part) => !state.formedAt.has(part))) return undefined;
  if (notes === undefined || waiting === undefined || objects.includes(undefined)) return undefined;
  if ([...recorded.keys()].some((at) => log[at] !== undefined && isNote(log[at]))) return undefined;
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
      ...{ ledger, billing, counted, checkouts, complete, waiting, newestAnswer },
      requestedAtMs: state.requestedAtMs ?? null,
      model: state.model ?? null,
      gapAt: state.gapAt ?? null,
    },
    rows: {
      steps: stepRows(state.path),
      objects: objects as readonly JsonValue[],
      folds: state.folds.map(({ step }) => step),
    },
    tables: sortedTables({
      ...(Object.fromEntries(setTables.map((name) => [name, keys(state.sets[name])])) as Record<
        (typeof setTables)[number],
        Table
      >),
      idle: keys(state.idle),
      dropped: keys([...state.objects].flatMap(([id, object]) => (isDropped(object) ? [id] : []))),
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
      omitted: new Map(log.flatMap((entry) => (entry.kind === "omitted" ? [[entry.at, flatOmitted(entry, key)]] : []))),
    }),
  };
}

function stepRows(path: Iterable<PathRow>): readonly JsonValue[] {
  const rows: JsonValue[] = [];
  let before: PathRow | undefined;
  for (const row of path) {
    const { address, end, turn, answered, isErased } = row;
    const session = before?.address.session === address.session ? "" : address.session;
    const flags = (answered ? stepFlags.answered : 0) + (isErased ? stepFlags.erased : 0);
    rows.push([session, address.n, before?.contentHash ?? "", end, turn, flags]);
    before = row;
  }
  return rows;
}

export function sortedTables(tables: FlatState["tables"]): FlatState["tables"] {
  const sorted = tableNames.map((name) => [name, orderedTables.has(name) ? tables[name] : sortedTable(tables[name])]);
  return Object.fromEntries(sorted);
}

function sortedTable(table: Table): Table {
  return isSorted(table.keys()) ? table : new Map([...table].sort(([a], [b]) => compareKeys(a, b)));
}

function isSorted(keys: Iterable<Key>): boolean {
  let before: Key | undefined;
  for (const key of keys) {
    if (before !== undefined && compareKeys(before, key) >= 0) return false;
    before = key;
  }
  return true;
}

/** Numbers before names; parts of the log by their place in it. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return Number.parseFloat(`${a}`) - Number.parseFloat(`${b}`) || (a < b ? -1 : a > b ? 1 : 0);
}

const isDropped = ({ inStore }: ViewObject): boolean => inStore === true;

/** Of a file without a text of its own: whether a part that was seen stands in for it. */
const hasPart = (object: ViewObject | undefined): boolean => object?.textless !== undefined && object.text !== null;

function flatObject(id: string, object: ViewObject, { inSight }: SessionState): JsonValue | undefined {
  const { alias, kind, textless } = object;
  const erased = textless === "erased" ? 1 : 0;
  if (object.id !== id) return undefined;
  if (kind === "file") return erased === 1 || inSight.has(id) ? ["f", id, alias, erased] : undefined;
  return ["t", id, alias, erased, object.tool ?? "", object.status ?? "", object.redactions ?? null, textless ?? null];
}

/** Where the log has the calls that wait; undefined where it does not show one of them. */
function waitingCalls({ openCalls, log, recorded }: SessionState): FlatRest["waiting"] | undefined {
  const wanted = new Map<unknown, readonly [number, number]>();
  const left = new Set([...openCalls.all.values()].flat().map(({ args }) => args));
  for (let at = log.length - 1; at >= 0 && left.size > 0; at -= 1) {
    const entry = recorded.get(at) ?? log[at];
    if (entry?.kind !== "assistant") continue;
    for (const [call, { args }] of entry.calls.entries()) if (left.delete(args)) wanted.set(args, [at, call]);
  }
  if (left.size > 0) return undefined;
  return [...openCalls.all].map(([callId, open]) => [
    callId,
    open.map(({ args }) => wanted.get(args) as readonly [number, number]),
  ]);
}

/** Texts are hashed once. */
const known = new WeakMap<LogEntry, JsonValue>();

/** The notes that stand in the log, each by what makes it again. */
function notesOf({ log, origins }: SessionState): Table | undefined {
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

export type FlatRecalled = readonly [
  into: number,
  object: string,
  input: 0 | 1,
  text: string,
  textless: string | null,
  hash: string | null,
  display: string | null,
  part: number | null,
];
export type FlatResumed = readonly [
  into: number,
  files: readonly (readonly [
    before: string | null,
    beforeHash: string | null,
    after: string | null,
    display: string | null,
    textless: string | null,
  ])[],
  unreachable: readonly (string | null)[],
];

function noteOf(entry: NoteEntry, origin: RecalledOrigin | ResumedOrigin | undefined): JsonValue | undefined {
  if (entry.kind === "released") return [entry.into];
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

/** Tells one text from another, and nothing of either. */
export const mark = (text: string): string => sha256(text).slice(0, 32);
