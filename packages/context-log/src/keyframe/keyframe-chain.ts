import { type JsonValue, type StepAddress, stepId } from "@cm/object-model";
import { type FlatOutline, isErased, keysOf, outlineAfterErasure, outlineOf } from "./flat-outline.ts";
import {
  byName,
  type FlatRest,
  type FlatState,
  type Key,
  type ListedState,
  orderedTables,
  type RowName,
  type Rows,
  rowNames,
  sortedTables,
  type Table,
  type TableName,
  tableNames,
} from "./flat-state.ts";
import { PlaceTable } from "./place-table.ts";
import { addToRuns, commonStart, keysIn, type Run, type Runs, runsOf, without } from "./runs.ts";

/** The newest keyframe that a session's next one builds on. */
export interface KeyframeBase {
  /** Of the steps with the keyframes that hold the state together, oldest first; the newest is this one's. */
  readonly chain: readonly StepAddress[];
  readonly contentHash: string;
  readonly outline: FlatOutline;
}

export const keyframeBase = (
  { chain, flat }: { readonly chain: readonly StepAddress[]; readonly flat: FlatState },
  contentHash: string,
): KeyframeBase => ({ chain, contentHash, outline: outlineOf(flat) });

/** The same where something was erased since it was written: the next keyframe says anew what names it. */
export const baseAfterErasure = (base: KeyframeBase): KeyframeBase => ({
  ...base,
  outline: outlineAfterErasure(base.outline),
});

/**
 * Those of version 1 name each request that ever folded text, and count what stands in full nowhere; all else of them
 * says the same.
 */
export const keyframeVersions = [1, 2] as const;
export type KeyframeVersion = (typeof keyframeVersions)[number];

/** What a keyframe says: how the state after its step differs from the one after the keyframe before it. Plain data. */
export interface KeyframeState {
  readonly version: KeyframeVersion;
  /** Of the keyframes before this one, oldest first: session, first step, distance, count. */
  readonly chain: readonly (readonly [string, number, number, number])[];
  readonly rest: FlatRest;
  readonly rows: Readonly<Record<RowName, readonly [from: number, added: readonly JsonValue[]]>>;
  readonly tables: Partial<Record<TableName, TableChange>>;
}

interface TableChange {
  /** Members that left: of a table that has an order its places in it, of the others the keys. */
  readonly gone?: Runs;
  /** Members that came, at the end, or have another value now: runs of objects whose value is 1, or a key with a value. */
  readonly put?: readonly (Run | readonly [Key, JsonValue, "="])[];
}

export function keyframeState(flat: FlatState, base: KeyframeBase | undefined): KeyframeState {
  const tables: Partial<Record<TableName, TableChange>> = {};
  for (const name of tableNames) {
    const change = tableChange(name, base?.outline.tables[name] ?? { keys: [] }, flat.tables[name]);
    if (change !== undefined) tables[name] = change;
  }
  return {
    version: 2,
    chain: chainRuns(base?.chain ?? []),
    rest: flat.rest,
    rows: byName(rowNames, (name) => rowsAfter(base?.outline.rows[name], flat.rows[name])),
    tables,
  };
}

/**
 * The state that a chain of keyframes makes.
 * @param older those before the newest, the oldest first; one at a time is held while they are gone through
 * @param onto what the oldest builds on; it stays as it is
 */
export function flatOf(newest: KeyframeState, older: Iterable<KeyframeState> = [], onto?: ListedState): ListedState {
  const { rest } = newest;
  const [objectsBefore, addedObjects] = newest.rows.objects;
  const placesMax = { omitted: rest.logLength, dropped: objectsBefore + addedObjects.length };
  const rows = byName(rowNames, (name) => [...(onto?.rows[name] ?? [])]);
  const tables = byName(tableNames, (name) => {
    const before = onto?.tables[name];
    return name === "omitted" || name === "dropped" ? new PlaceTable(placesMax[name], before) : new Map(before);
  });
  const add = (state: KeyframeState) => {
    for (const name of rowNames) {
      const [from, added] = state.rows[name];
      rows[name].splice(from);
      for (const row of added) rows[name].push(row);
    }
    for (const name of tableNames) changeTable(tables[name], name, state.tables[name]);
  };
  for (const state of older) add(state);
  add(newest);
  return { rest, rows, tables: sortedTables(tables) };
}

/** Rows only grow; rows that were replaced are written anew. */
function rowsAfter(
  before: FlatOutline["rows"][RowName] | undefined,
  now: Rows,
): readonly [number, readonly JsonValue[]] {
  const { count, last, erased } = before ?? { count: 0, last: undefined, erased: [] };
  const from = count <= now.length && isSame(last, now.at(count - 1)) ? count : 0;
  const first = Math.min(from, ...erased.filter((place) => !isErased(now.at(place))));
  return [first, now.slice(first)];
}

function tableChange(name: TableName, before: FlatOutline["tables"][TableName], now: Table): TableChange | undefined {
  if ("table" in before) return valuesChange(before.table, now);
  const keys = keysOf(now);
  if (orderedTables.has(name)) return orderedChange(before.keys, keys, now);
  const put = before.haveOtherValues === true ? keysIn(keys) : without(keys, before.keys);
  return changeOf(without(before.keys, keys), put, now);
}

/** Members keep their order, and what comes or comes back stands at the end: as in a set that is changed in place. */
function orderedChange(before: Runs, keys: Runs, now: Table): TableChange | undefined {
  const shared = commonStart(before, keys);
  const order = [...keysIn(keys, shared)];
  const gone: number[] = [];
  let kept = 0;
  let place = shared;
  for (const key of keysIn(before, shared)) {
    if (order[kept] === key) kept += 1;
    else gone.push(place);
    place += 1;
  }
  return changeOf(gone, order.slice(kept), now);
}

function valuesChange(before: Table, now: Table): TableChange | undefined {
  const gone = [...before.keys()].filter((key) => !now.has(key));
  const put = [...now].flatMap(([key, value]) => (isSame(before.get(key), value) ? [] : [key]));
  return changeOf(gone, put, now);
}

function changeOf(gone: Iterable<Key>, put: Iterable<Key>, now: Table): TableChange | undefined {
  const left = runsOf(gone);
  const came: (Run | readonly [Key, JsonValue, "="])[] = [];
  for (const key of put) {
    const value = now.get(key) as JsonValue;
    if (typeof key === "number" && value === 1) addToRuns(came, key);
    else came.push([key, value, "="]);
  }
  if (left.length + came.length === 0) return undefined;
  return { ...(left.length > 0 ? { gone: left } : {}), ...(came.length > 0 ? { put: came } : {}) };
}

function changeTable(
  table: Map<Key, JsonValue> | PlaceTable,
  name: TableName,
  { gone = [], put = [] }: TableChange = {},
): void {
  const order = orderedTables.has(name) && gone.length > 0 ? [...table.keys()] : undefined;
  for (const one of gone) {
    if (typeof one === "string") table.delete(one);
    else
      for (let at = one[0]; at < one[0] + one[1]; at += 1) table.delete(order === undefined ? at : (order[at] ?? ""));
  }
  for (const one of put) {
    if (one.length === 3) table.set(one[0], one[1]);
    else for (let key = one[0]; key < one[0] + one[1]; key += 1) table.set(key, 1);
  }
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));
}

/** Most keyframes of a path lie equally far from each other. */
function chainRuns(chain: readonly StepAddress[]): readonly (readonly [string, number, number, number])[] {
  const runs: [string, number, number, number][] = [];
  for (const { session, n } of chain) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] === session && last[3] === 1 && n > last[1])
      [last[2], last[3]] = [n - last[1], 2];
    else if (last !== undefined && last[0] === session && last[3] > 1 && n === last[1] + last[2] * last[3])
      last[3] += 1;
    else runs.push([session, n, 0, 1]);
  }
  return runs;
}

/** @param max more than so many are no chain of a session */
export function chainOf({ chain }: Pick<KeyframeState, "chain">, max: number): readonly StepAddress[] {
  const addresses = new Map<string, StepAddress>();
  for (const [session, first, distance, count] of chain) {
    for (let place = 0; place < count && addresses.size < max; place += 1) {
      const address = { session, n: first + place * distance };
      addresses.set(stepId(address), address);
    }
  }
  return [...addresses.values()];
}
