import type { LogEntry, OmittedEntry } from "@cm/context-log";
import {
  type FlatObject,
  type FlatState,
  type Key,
  omittedEntry,
  rowNames,
  stepFlags,
  type TableName,
  tableNames,
} from "@cm/context-log/state";
import type { JsonValue } from "@cm/object-model";
import { FlatPlaces } from "./flat-places.ts";
import { wantedSteps } from "./wanted-steps.ts";

/**
 * What of a flat state stands in the prompt: whole without the keyframes before, and as long as the prompt, however long
 * the session is. Of what left the prompt it has what a layout says of it. Plain data.
 */
export interface StandingState {
  readonly version: 1;
  readonly rest: FlatState["rest"];
  /** The steps of which something stands, and those before them, at their places on the path. */
  readonly steps: readonly StandingStep[];
  readonly objects: readonly (readonly [place: number, object: FlatObject])[];
  /** How many short names were given. */
  readonly names: { readonly file: number; readonly toolcall: number };
  readonly folds: readonly JsonValue[];
  readonly tables: Partial<Record<TableName, readonly (readonly [Key, JsonValue])[]>>;
  readonly gone: readonly GoneEntries[];
}

/** With its own hash, which is empty for the newest step, and for one of which nothing stands. */
export type StandingStep = readonly [
  place: number,
  session: string,
  n: number,
  hash: string,
  end: number,
  turn: number,
  flags: number,
];

/** Entries that follow each other and left the prompt: what they were, in no order, and the turns of the first and the last. */
type GoneEntries = readonly [
  at: number,
  count: number,
  firstTurn: number,
  lastTurn: number,
  prompts: number,
  answers: number,
  calls: readonly (readonly [tool: string, count: number])[],
];

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

/** As a flat state, whose rows have holes where nothing stands. */
export interface StandingFlat extends FlatState {
  readonly standing: StandingState;
}

export function standingFlat(standing: StandingState): StandingFlat {
  const { rest, folds, tables } = standing;
  const none = Object.fromEntries(rowNames.map((name) => [name, []])) as unknown as FlatState["rows"];
  return {
    rest,
    rows: { ...none, folds },
    tables: Object.fromEntries(
      tableNames.map((name) => [name, new Map(tables[name] ?? [])]),
    ) as unknown as FlatState["tables"],
    standing,
  };
}

/** Entries in place of those that left, as many of each kind: what they were in detail is in the keyframes before. */
export function putGone(log: (OmittedEntry | unknown)[], gone: StandingState["gone"]): void {
  for (const [from, count, first, last, prompts, answers, calls] of gone) {
    let at = from;
    const put = (many: number, was: Pick<OmittedEntry, "was" | "tool">): void => {
      const end = Math.min(at + many, from + count);
      for (; at < end; at += 1)
        log[at] = { kind: "omitted", ...was, at, step: 0, turn: at === from ? first : last, chars: 0 };
    };
    put(prompts, { was: "user" });
    put(answers, { was: "assistant" });
    for (const [tool, many] of calls) put(many, { was: "result", tool });
    put(count, { was: "note" });
  }
}
