import type { LogEntry } from "@cm/context-log";
import {
  type FlatObject,
  type FlatState,
  type Key,
  type LogState,
  stepFlags,
  type TableName,
  tableNames,
} from "@cm/context-log/state";
import type { GoneEntries, StandingState, StandingStep } from "./standing-data.ts";
import { type StepPlaces, wantedSteps } from "./wanted-steps.ts";

/** Of all that was ever met, or of what left: no request needs them, but for the objects that others of them name. */
const leftOut: ReadonlySet<TableName> = new Set(["index", "pool", "idle", "dropped", "omitted"]);

/**
 * Undefined where as much stands as left the prompt, or something is gone from the path: then the whole state is read.
 * @param flat of the state
 */
export function standingState(flat: FlatState, state: LogState): StandingState | undefined {
  const { rest, tables, rows } = flat;
  const { log, objects } = state;
  if (!rest.complete || rest.gapAt !== null || tables.omitted.size * 2 < rest.logLength) return undefined;
  const named = placesNamed(tables, state);
  const amended = new Map(
    [...tables.amended].filter(([key]) => {
      const entry = log[Number.parseInt(`${key}`, 10)];
      // What left stands again where its object is asked for.
      return entry?.kind !== "omitted" || (entry.object !== undefined && named.has(objects.placeOf(entry.object)));
    }),
  );
  const standing = { ...flat, tables: { ...tables, amended } };
  const told = tableNames.flatMap((name) => {
    const members = leftOut.has(name) ? [] : [...standing.tables[name]];
    return members.length === 0 ? [] : [[name, members] as const];
  });
  return {
    version: 1,
    rest,
    steps: stepsOf(state, wantedSteps(stepPlaces(standing, state))),
    objects: objectsOf(flat, state, named),
    names: state.aliases.given,
    folds: rows.folds.slice(),
    tables: Object.fromEntries(told),
    gone: goneIn(log),
  };
}

function stepPlaces(flat: FlatState, { path, log }: LogState): StepPlaces {
  return {
    flat,
    spans: () => Array(path.length).keys(),
    start: (place) => path.endOf(place - 1),
    end: (place) => path.endOf(place),
    stepOf: (at) => path.stepOf(at),
    isOmitted: (at) => log[at]?.kind === "omitted",
    isErased: (place) => path.at(place)?.isErased ?? false,
  };
}

/** All files, and the others of these, in the order in which the session met them. */
function objectsOf(
  { rows }: FlatState,
  { objects }: LogState,
  named: ReadonlySet<number>,
): readonly (readonly [number, FlatObject])[] {
  const places = new Set(named);
  // No file is a row of a call.
  for (const [id, { kind }] of objects.keptAsTheyAre()) if (kind === "file") places.add(objects.placeOf(id));
  return [...places]
    .filter((place) => place >= 0)
    .sort((a, b) => a - b)
    .map((place) => [place, rows.objects.at(place) as unknown as FlatObject]);
}

/** Tables of the log have places in it as their keys. */
const ofLog: ReadonlySet<TableName> = new Set(["forms", "amended", "notes"]);

/** The places of the objects that the prompt has or names. */
function placesNamed(tables: FlatState["tables"], { log, objects }: LogState): ReadonlySet<number> {
  const named = new Set<Key>();
  for (const name of tableNames) {
    if (!leftOut.has(name) && !ofLog.has(name)) for (const key of tables[name].keys()) named.add(key);
  }
  for (const entry of log) {
    if (entry.kind === "released") for (const object of entry.objects) named.add(object);
    else if (entry.kind === "assistant")
      for (const { object } of entry.calls) object !== undefined && named.add(object);
    else if (entry.kind === "recalled" || entry.kind === "result") named.add(entry.object);
  }
  return new Set([...named].map((key) => (typeof key === "number" ? key : objects.placeOf(key))));
}

function stepsOf({ path }: LogState, wanted: readonly number[]): readonly StandingStep[] {
  const standing = new Set([...wanted, path.length - 1]);
  return [...new Set([...standing].flatMap((place) => [place - 1, place]))]
    .sort((a, b) => a - b)
    .flatMap((place): readonly StandingStep[] => {
      const row = path.at(place);
      if (row === undefined) return [];
      const { address, contentHash, end, turn, answered, isErased } = row;
      const { session, n } = address;
      const flags = (answered ? stepFlags.answered : 0) + (isErased ? stepFlags.erased : 0);
      // The step that has the keyframe has no hash yet.
      const isTold = standing.has(place) && place < path.length - 1;
      return [[place, session, n, isTold ? contentHash : "", end, turn, flags]];
    });
}

function goneIn(log: readonly LogEntry[]): readonly GoneEntries[] {
  const runs: {
    at: number;
    count: number;
    turns: [number, number];
    user: number;
    assistant: number;
    calls: Map<string, number>;
  }[] = [];
  for (let at = 0; at < log.length; at += 1) {
    const entry = log[at];
    if (entry?.kind !== "omitted") continue;
    let run = runs.at(-1);
    if (run === undefined || run.at + run.count !== at) {
      run = { at, count: 0, turns: [entry.turn, entry.turn], user: 0, assistant: 0, calls: new Map() };
      runs.push(run);
    }
    run.count += 1;
    run.turns[1] = entry.turn;
    const { was } = entry;
    if (was === "user" || was === "assistant") run[was] += 1;
    else if (was === "result") run.calls.set(entry.tool ?? "", (run.calls.get(entry.tool ?? "") ?? 0) + 1);
  }
  return runs.map(({ at, count, turns, user, assistant, calls }) => [at, count, ...turns, user, assistant, [...calls]]);
}
