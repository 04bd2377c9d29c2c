import type { JsonValue } from "@cm/object-model";
import { flatOmitted } from "../keyframe/flat-omitted.ts";
import { type FlatObject, type Key, type Rows, stepFlags, type Table } from "../keyframe/flat-state.ts";
import { addToRuns, countIn, keysIn, type Run, type Runs } from "../keyframe/runs.ts";
import type { ViewObject } from "../view.ts";
import type { LogState } from "./log-state.ts";

/** Objects by their places in the order in which the session met them. */
export const keyIn =
  ({ objects }: Pick<LogState, "objects">) =>
  (id: string): Key => {
    const place = objects.placeOf(id);
    return place < 0 ? id : place;
  };

/** The steps of a path as rows of a flat state, each made where it is asked for. */
export const stepRows = ({ path }: Pick<LogState, "path">): Rows =>
  rowsInPlace(path.length, (place) => {
    const row = path.at(place);
    const before = path.at(place - 1);
    if (row === undefined) throw new RangeError(`The path has no step at ${place}.`);
    const { address, end, turn, answered, isErased } = row;
    const session = before?.address.session === address.session ? "" : address.session;
    const flags = (answered ? stepFlags.answered : 0) + (isErased ? stepFlags.erased : 0);
    return [session, address.n, before?.contentHash ?? "", end, turn, flags];
  });

export const objectRows = ({ objects }: Pick<LogState, "objects">): Rows =>
  rowsInPlace(objects.size, (place) => {
    const id = objects.idAt(place);
    const object = objects.get(id);
    if (object === undefined) throw new RangeError(`No object stands at ${place}.`);
    return flatObject(id, object);
  });

function flatObject(id: string, { alias, kind, textless, tool, status, redactions }: ViewObject): FlatObject {
  const erased = textless === "erased" ? 1 : 0;
  if (kind === "file") return ["f", id, alias, erased];
  return ["t", id, alias, erased, tool ?? "", status ?? "", redactions ?? null, textless ?? null];
}

function rowsInPlace(length: number, row: (place: number) => JsonValue): Rows {
  return {
    length,
    at: (place) => {
      const counted = place < 0 ? length + place : place;
      return counted >= 0 && counted < length ? row(counted) : undefined;
    },
    slice: (from = 0, to = length) => Array.from({ length: Math.max(0, to - from) }, (_, place) => row(from + place)),
  };
}

/** The index in its order, nearly all of it that of the objects. */
export function indexTable({ sets, objects }: Pick<LogState, "sets" | "objects">): Table {
  const runs: (Run | string)[] = [];
  for (let place = 0; place < sets.index.size; place += 1)
    addToRuns(runs, objects.placeOfNumber(sets.index.numberAt(place)));
  return tableInPlace(runs, (key) =>
    sets.index.has(typeof key === "string" ? key : objects.idAt(key)) ? 1 : undefined,
  );
}

/** Calls whose text is in the store alone. */
export function droppedTable({ objects }: Pick<LogState, "objects">): Table {
  const runs: Run[] = [];
  for (let place = 0; place < objects.size; place += 1) if (objects.isInStore(place)) addToRuns(runs, place);
  return tableInPlace(runs, (key) => (typeof key === "number" && objects.isInStore(key) ? 1 : undefined));
}

/** Entries that left the prompt. */
export function omittedTable(state: Pick<LogState, "log" | "objects">): Table {
  const { log } = state;
  const runs: Run[] = [];
  for (let at = 0; at < log.length; at += 1) if (log[at]?.kind === "omitted") addToRuns(runs, at);
  const key = keyIn(state);
  return tableInPlace(runs, (at) => {
    const entry = typeof at === "number" ? log[at] : undefined;
    return entry?.kind === "omitted" ? flatOmitted(entry, key) : undefined;
  });
}

/** @param get undefined for what is no member */
function tableInPlace(runs: Runs, get: (key: Key) => JsonValue | undefined): Table {
  return {
    runs,
    get,
    size: countIn(runs),
    has: (key) => get(key) !== undefined,
    keys: () => keysIn(runs),
    *[Symbol.iterator]() {
      for (const key of keysIn(runs)) yield [key, get(key) as JsonValue] as const;
    },
  };
}
