import type { LogEntry, OmittedEntry } from "@cm/context-log";
import {
  type FlatObject,
  type FlatState,
  type Key,
  omittedEntry,
  stepFlags,
  type TableName,
  tableNames,
} from "@cm/context-log/state";
import type { JsonValue } from "@cm/object-model";
import { FlatPlaces } from "./flat-places.ts";
import { wantedSteps } from "./named-texts.ts";
import type { GoneEntries, StandingState, StandingStep } from "./standing-data.ts";

/** Of all that was ever met, or of what left: no request needs them, but for the objects that others of them name. */
const leftOut: ReadonlySet<TableName> = new Set(["index", "pool", "idle", "dropped", "omitted"]);

/**
 * Undefined where as much stands as left the prompt, or something is gone from the path: then the whole state is read.
 * @param log of the state: its notes name objects that may have left
 */
export function standingState(flat: FlatState, log: readonly LogEntry[]): StandingState | undefined {
  const { rest, tables, rows } = flat;
  if (!rest.complete || rest.gapAt !== null || tables.omitted.size * 2 < rest.logLength) return undefined;
  const places = new FlatPlaces(flat, "");
  const told: [TableName, (readonly [Key, JsonValue])[]][] = tableNames.flatMap((name) => {
    const members = leftOut.has(name) ? [] : [...tables[name]].filter(([key]) => isStanding(name, key, flat));
    return members.length === 0 ? [] : [[name, members]];
  });
  const named = namedIn(told, log);
  const wanted = wantedSteps(places);
  const objects = places.objects.flatMap((object, place): [number, FlatObject][] =>
    object[0] === "f" || named.has(place) || named.has(object[1]) ? [[place, object]] : [],
  );
  return {
    version: 1,
    rest,
    steps: stepsOf(places, wanted),
    objects,
    names: namesIn(places.objects),
    folds: rows.folds,
    tables: Object.fromEntries(told),
    gone: goneIn(flat),
  };
}

function isStanding(name: TableName, key: Key, { tables: { omitted } }: FlatState): boolean {
  return name !== "amended" || !omitted.has(Number.parseInt(`${key}`, 10));
}

/** Tables of the log have places in it as their keys. */
const ofLog: ReadonlySet<TableName> = new Set(["forms", "amended", "notes"]);

/** Objects that the prompt has or names, by their places or ids. */
function namedIn(
  tables: readonly (readonly [TableName, readonly (readonly [Key, JsonValue])[]])[],
  log: readonly LogEntry[],
) {
  const inTables = tables.flatMap(([name, members]) => (ofLog.has(name) ? [] : members.map(([key]) => key)));
  const inLog = log.flatMap((entry): readonly string[] => {
    if (entry.kind === "released") return entry.objects;
    if (entry.kind === "assistant") return entry.calls.flatMap(({ object }) => object ?? []);
    return entry.kind === "recalled" || entry.kind === "result" ? [entry.object] : [];
  });
  return new Set<Key>([...inTables, ...inLog]);
}

function stepsOf(places: FlatPlaces, wanted: readonly number[]): readonly StandingStep[] {
  const standing = new Set([...wanted, places.path.length - 1]);
  return [...new Set([...standing].flatMap((place) => [place - 1, place]))]
    .filter((place) => place >= 0)
    .sort((a, b) => a - b)
    .map((place) => {
      const { address, contentHash, end, turn, answered, isErased } = places.row(place);
      const { session, n } = address;
      const flags = (answered ? stepFlags.answered : 0) + (isErased ? stepFlags.erased : 0);
      return [place, session, n, standing.has(place) ? contentHash : "", end, turn, flags];
    });
}

function namesIn(objects: readonly FlatObject[]): StandingState["names"] {
  let [file, toolcall] = [0, 0];
  for (const [, , alias] of objects) {
    const number = Number(alias.slice(1));
    if (alias.startsWith("f")) file = Math.max(file, number);
    else toolcall = Math.max(toolcall, number);
  }
  return { file, toolcall };
}

function goneIn({ tables: { omitted } }: FlatState): readonly GoneEntries[] {
  const runs: OmittedEntry[][] = [];
  for (const [key, value] of omitted) {
    const entry = omittedEntry(Number(key), value, String);
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.at === entry.at - 1) run.push(entry);
    else runs.push([entry]);
  }
  return runs.map((run) => {
    const calls = new Map<string, number>();
    for (const { was, tool = "" } of run) if (was === "result") calls.set(tool, (calls.get(tool) ?? 0) + 1);
    const count = (kind: OmittedEntry["was"]) => run.filter(({ was }) => was === kind).length;
    const [first, last] = [run[0], run.at(-1)];
    const turns = [first?.turn ?? 0, last?.turn ?? 0] as const;
    return [first?.at ?? 0, run.length, ...turns, count("user"), count("assistant"), [...calls]];
  });
}
