import { type Checkout, type JsonValue, type StepAddress, sha256 } from "@cm/object-model";
import type { Billing } from "../cost/billing.ts";
import type { CountedRequest } from "../cost/counted-requests.ts";
import type { CostLedger } from "../view.ts";
import type { Runs } from "./runs.ts";

/** Places of objects in the order in which the session met them stand for their ids. */
export type Key = number | string;

/** Rows by their places: a list, or what a session has of them, read where it lies. */
export type Rows = Pick<readonly JsonValue[], "length" | "at" | "slice">;

/** A map, or what a session has of one, read where it lies. */
export interface Table extends Iterable<readonly [Key, JsonValue]> {
  readonly size: number;
  /** The keys, where they are known as runs. */
  readonly runs?: Runs;
  has(key: Key): boolean;
  get(key: Key): JsonValue | undefined;
  keys(): Iterable<Key>;
}

/**
 * A session's state without its texts, as plain data: rows that only grow, tables, and the rest. Texts, and whatever an
 * erasure would have to reach, are named by where they are. It is the same for all who know the same: tables are sorted
 * by their keys, but for the two whose order says something.
 */
export interface FlatState {
  readonly rest: FlatRest;
  readonly rows: Readonly<Record<RowName, Rows>>;
  readonly tables: Readonly<Record<TableName, Table>>;
}

/** As keyframes hold it together: all of its rows are there. */
export interface ListedState extends FlatState {
  readonly rows: Readonly<Record<RowName, readonly JsonValue[]>>;
}

export const rowNames = ["steps", "objects", "folds"] as const;
export type RowName = (typeof rowNames)[number];

/** A value for each of the names, in their order. */
export function byName<Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;
}

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
  readonly checkouts: readonly Checkout[];
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

/** Those of which the keys are runs are sorted already. */
export function sortedTables(tables: FlatState["tables"]): FlatState["tables"] {
  return byName(tableNames, (name) => (orderedTables.has(name) ? tables[name] : sortedTable(tables[name])));
}

function sortedTable(table: Table): Table {
  return table.runs !== undefined || isSorted(table.keys())
    ? table
    : new Map([...table].sort(([a], [b]) => compareKeys(a, b)));
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

/** Tells one text from another, and nothing of either. */
export const mark = (text: string): string => sha256(text).slice(0, 32);
