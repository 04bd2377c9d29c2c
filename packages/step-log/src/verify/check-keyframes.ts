import type { CostLedger } from "@cm/context-log";
import {
  type FlatObject,
  type FlatState,
  type FlatStep,
  flatOmitted,
  flatState,
  type Key,
  keyframeRequests,
  type ListedState,
  type LogState,
  omittedEntry,
  rowNames,
  stepFlags,
  type Table,
} from "@cm/context-log/state";
import {
  canonicalJson,
  type DocumentOf,
  isDocumentOf,
  type JsonValue,
  keyframeId,
  type ObjectDocument,
  type ObjectStore,
  type StepAddress,
  sessionOfReference,
  standingId,
  stepId,
} from "@cm/object-model";
import { type ReadKeyframe, readKeyframe } from "../keyframe/keyframe-state.ts";
import { packedField, unpackedField } from "../keyframe/packed-field.ts";
import { standingState } from "../keyframe/standing-state.ts";
import { limits } from "../limits.ts";
import { readPathBack } from "../path/read-path.ts";
import { readReadable } from "../path/read-readable.ts";
import { loadPath, logAfter } from "../state/load-state.ts";
import type { Finding } from "./finding.ts";

/** Holds the keyframe of a step against the sets after it. */
export async function checkKeyframe(
  store: ObjectStore,
  at: { readonly session: string; readonly n: number },
  state: LogState,
): Promise<readonly Finding[]> {
  const id = keyframeId(at);
  const document = (await store.getMany([id])).get(id)?.document;
  if (!isDocumentOf(document, "keyframe")) return [];
  const wrong = wrongSets(document, state);
  const isOwn = sessionOfReference(document.session_ref) === at.session && document.n === at.n;
  if (wrong.length === 0 && isOwn) return [];
  const detail = isOwn ? `not the sets that the steps make: ${wrong.join(", ")}` : "of another step";
  return [{ id, type: "keyframe", problem: "keyframe", detail }];
}

/**
 * Holds the newest state of a path that a keyframe has against the one that the steps and objects make, and with it all
 * keyframes that it builds on, and what stands beside it. One that was erased is no finding, and where something of the
 * path is gone since, it cannot be told any more.
 */
export async function checkNewestState(store: ObjectStore, to: StepAddress | null): Promise<readonly Finding[]> {
  for await (const { address, document } of readPathBack(store, to, limits.stepsToKeyframe)) {
    if (document?.keyframe === undefined) continue;
    return findingsAt(store, address, document);
  }
  return [];
}

async function findingsAt(store: ObjectStore, at: StepAddress, step: DocumentOf<"step">): Promise<readonly Finding[]> {
  const [id, beside] = [keyframeId(at), standingId(at)];
  // What cannot be read has a finding of its own.
  const { found } = await readReadable(store, [id, beside]);
  const [fields, standing] = [found.get(id)?.document, found.get(beside)?.document];
  const keyframe = fields && (await readKeyframe(store, at, step.keyframe ?? ""));
  const wrong = keyframe && (await wrongIn(store, at, { ...asWrittenNow(keyframe), fields, standing }));
  const isOther = `not the one that ${stepId(at)} was written with`;
  const finding = (of: string, type: string, detail: string): Finding => ({
    id: of,
    type,
    problem: "keyframe",
    detail,
  });
  const findings: Finding[] = [];
  if (fields !== undefined && keyframe === undefined && !(await buildsOnErased(store, id)))
    findings.push(finding(id, "keyframe", isOther));
  if (wrong !== undefined && wrong.state.length > 0)
    findings.push(finding(id, "keyframe", `not the state that the steps make: ${wrong.state.join(", ")}`));
  if (standing !== undefined && standing.content_hash !== step.standing)
    findings.push(finding(beside, "standing", isOther));
  else if (wrong?.standing === true)
    findings.push(finding(beside, "standing", "not what the steps leave in the prompt"));
  return findings;
}

/** Whether one of the keyframes before it was erased: then it is unused, and nothing is wrong. */
async function buildsOnErased(store: ObjectStore, newest: string): Promise<boolean> {
  for (let id = newest, left = limits.keyframesPerChainMax; left > 0; left -= 1) {
    const version = (await store.getMany([id])).get(id);
    if (version?.erased !== undefined) return true;
    if (version?.document === undefined || !isDocumentOf(version.document, "keyframe")) return false;
    const { before } = version.document;
    if (before === undefined) return false;
    id = keyframeId(before);
  }
  return false;
}

/** A state of before as it is written now, but for folds of which nothing stands any more: those are not told apart here. */
function asWrittenNow({ flat, version }: ReadKeyframe): ReadState {
  const { rows, tables } = flat;
  const places = new Map((rows.objects as readonly (readonly [string, string])[]).map(([, id], place) => [id, place]));
  const written = (at: Key, value: JsonValue): JsonValue =>
    Array.isArray(value) ? value : flatOmitted(omittedEntry(Number(at), value, String), (id) => places.get(id) ?? id);
  const omitted = new Map([...tables.omitted].map(([at, value]) => [at, written(at, value)]));
  const shown = new Map([...tables.shown].filter(([, count]) => count !== 0));
  return { ...flat, tables: { ...tables, omitted, shown }, namesAllFolds: version === 1 };
}

interface ReadState extends ListedState {
  readonly namesAllFolds?: boolean;
  /** The keyframe itself, and what stands beside it. */
  readonly fields?: ObjectDocument | undefined;
  readonly standing?: ObjectDocument | undefined;
}

async function wrongIn(
  store: ObjectStore,
  at: StepAddress,
  { rest, rows, tables, namesAllFolds = false, fields, standing }: ReadState,
): Promise<{ readonly state: readonly string[]; readonly standing: boolean }> {
  const path = await loadPath(store, at, { rendered: 0 });
  const { headChars } = rest.ledger;
  const prices = rest.billing.prices ?? { read: 0, write: 0 };
  const { state } = await logAfter(path, rest.session, { prices, headChars, render: async () => undefined });
  const flat = state.complete === rest.complete ? flatState(state, rest.chain) : undefined;
  const made = flat && { ...flat, rest: { ...flat.rest, ledger: asAdded(flat.rest.ledger, rest.ledger) } };
  if (made === undefined || !isEqual(erasedIn(made.rows), erasedIn(rows))) return { state: [], standing: false };
  const wrong = [
    ...(canonicalJson({ ...made.rest }) === canonicalJson({ ...rest }) ? [] : ["figures"]),
    ...rowNames.flatMap((name) => {
      const rowsMade = made.rows[name].slice();
      const isListed = name === "folds" && namesAllFolds;
      const told = isListed ? rows.folds.filter((depth) => rowsMade.includes(depth)) : rows[name];
      return canonicalJson(rowsMade) === canonicalJson(told) ? [] : [name];
    }),
    ...Object.entries(made.tables).flatMap(([name, table]) => {
      const told = tables[name as keyof typeof tables];
      // Sessions of before kept the texts of some calls that nothing shows.
      if (name === "dropped") return [...told.keys()].every((key) => table.has(key)) ? [] : [name];
      // What was erased when it was told of may be there again by now, to the letter.
      const isSameNote = name === "notes" && !rest.complete && isEqual(keysOf(table), keysOf(told));
      return isSameNote || isEqual(table, told) ? [] : [name];
    }),
    ...wrongFields(fields, made, state),
  ];
  const stands = isDocumentOf(standing, "standing") ? standing.standing : undefined;
  return { state: wrong, standing: !isSame(stands, standingState(made, state)) };
}

/** A bill is a sum of fractions: added up in another order, as after a change of prices, it differs in its last digits. */
function asAdded(made: CostLedger, told: CostLedger): CostLedger {
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  return {
    ...made,
    billed: isNear(made.billed, told.billed) ? told.billed : made.billed,
    plainBilled: isNear(made.plainBilled, told.plainBilled) ? told.plainBilled : made.plainBilled,
  };
}

/**
 * The objects and steps of which nothing was left, by their place. Where they are others, something was erased or written again since
 * the keyframe was written with what it had, and it cannot be told any more.
 */
function erasedIn({ objects, steps }: FlatState["rows"]): Table {
  const objectRows = objects.slice() as unknown as readonly FlatObject[];
  const stepRows = steps.slice() as unknown as readonly FlatStep[];
  return new Map<Key, JsonValue>([
    ...objectRows.flatMap(([, id, , erased]) => (erased === 1 ? [[id, 1] as const] : [])),
    ...stepRows.flatMap(([, , , , , flags], place) => ((flags & stepFlags.erased) === 0 ? [] : [[place, 1] as const])),
  ]);
}

/** What a keyframe says beside its state, for questions about the past. Those of before have none of it. */
function wrongFields(keyframe: ObjectDocument | undefined, made: FlatState, state: LogState): readonly string[] {
  if (keyframe === undefined || !isDocumentOf(keyframe, "keyframe")) return [];
  const { requests, standing, before } = keyframe;
  const told = {
    requests: requests === undefined ? undefined : keyframeRequests(state, before),
    standing: standing === undefined ? undefined : standingState(made, state),
  };
  return [
    ...(isSame(requests, told.requests) ? [] : ["requests"]),
    ...(isSame(standing, told.standing) ? [] : ["standing"]),
  ];
}

const keysOf = (table: Table): Table => new Map([...table.keys()].map((key) => [key, 1]));

const isEqual = (a: Table, b: Table): boolean => canonicalJson([...a]) === canonicalJson([...b]);

/** A packed field beside what it should say, where both are there. */
const isSame = (field: string | undefined, value: unknown): boolean =>
  field === undefined || value === undefined || packedField(value as JsonValue) === packedField(unpacked(field));

/** What is no packed field is none of ours. */
const unpacked = (field: string): JsonValue => (unpackedField(field) as JsonValue | undefined) ?? null;

const names = ["index", "pool", "active", "pinned", "dismissed", "requested"] as const;

function wrongSets(keyframe: DocumentOf<"keyframe">, { sets }: LogState): readonly string[] {
  // One that holds the state alone.
  if (names.every((name) => keyframe[name] === undefined)) return [];
  const index = [...sets.index];
  return names.filter((name) => {
    const members = index.filter((id) => sets[name].has(id));
    const listed = keyframe[name] ?? [];
    return members.length !== listed.length || members.some((id, place) => listed[place] !== id);
  });
}
