import type { LeveledObject } from "@cm/context-log";
import { ContextLog } from "@cm/context-log/state";
import {
  type DocumentOf,
  isDocumentOf,
  isSha256,
  keyframeId,
  type ObjectStore,
  type SetChanges,
  type StepAddress,
  sessionOfReference,
  stepId,
} from "@cm/object-model";
import { checkObject } from "../check-input.ts";
import { limits } from "../limits.ts";
import { replaySteps } from "../path/replay.ts";
import { listSessions } from "./list-sessions.ts";

/** A session that has an object in its index, and how the object stands there after the newest step. */
export interface SessionThatMet {
  readonly session: string;
  readonly level: LeveledObject["level"];
  readonly pinned: boolean;
}

/**
 * The sessions that met an object, by id: at most the steps since the newest keyframe are read of each. Sessions whose
 * heads were erased or cannot be read are passed over. What a keyframe lists counts also where a step behind it was erased,
 * and an opening, which needs the texts, goes on without what that step met.
 * @throws CmError `session/damaged`, or what the store throws
 */
export async function* sessionsThatMet(store: ObjectStore, objectId: string): AsyncGenerator<SessionThatMet> {
  checkObject(objectId);
  const owner = await ownerOf(store, objectId);
  for await (const { session, head, forkedFrom } of listSessions(store)) {
    // A tool call is its session's alone, and of those that continue it.
    const mayHaveMet = owner === undefined || owner === session || forkedFrom !== undefined;
    if (head === null || !mayHaveMet) continue;
    const standing = await standingOf(store, head, objectId);
    if (standing !== undefined) yield { session, ...standing };
  }
}

type Standing = Omit<SessionThatMet, "session">;

/** The session that a tool call was made in. Undefined for files, and for what was erased. */
async function ownerOf(store: ObjectStore, id: string): Promise<string | undefined> {
  if (isSha256(id)) return undefined;
  const document = (await store.getMany([id])).get(id)?.document;
  return document !== undefined && isDocumentOf(document, "toolcall")
    ? sessionOfReference(document.chat_ref)
    : undefined;
}

/** How an object stands after a step; undefined where the session had not met it. */
async function standingOf(store: ObjectStore, at: StepAddress, id: string): Promise<Standing | undefined> {
  const known = new Map<LeveledSet, boolean>();
  for await (const { document, keyframe } of stepsBack(store, at)) {
    if (keyframe !== undefined) {
      for (const name of leveledSets) if (!known.has(name)) known.set(name, keyframe[name].includes(id));
      return keyframe.index.includes(id) ? standing(known) : undefined;
    }
    // What later steps did to the sets may build on what the erased one did.
    if (document === undefined) return replayedStanding(store, at, id);
    for (const changes of [document.changes, document.changes_before ?? {}]) {
      note(known, changes, id);
      if (changes.index?.added?.includes(id)) return standing(known);
    }
  }
  return undefined;
}

const leveledSets = ["pool", "active", "pinned"] as const;
type LeveledSet = (typeof leveledSets)[number];

/** On the way back the first word on a set is the last one spoken. */
function note(known: Map<LeveledSet, boolean>, changes: SetChanges, id: string): void {
  for (const name of leveledSets) {
    if (known.has(name)) continue;
    if (changes[name]?.added?.includes(id)) known.set(name, true);
    else if (changes[name]?.removed?.includes(id)) known.set(name, false);
  }
}

function standing(known: ReadonlyMap<LeveledSet, boolean>): Standing {
  const level = known.get("active") === true ? "active" : known.get("pool") === true ? "inactive" : "indexed";
  return { level, pinned: known.get("pinned") === true };
}

async function replayedStanding(store: ObjectStore, at: StepAddress, id: string): Promise<Standing | undefined> {
  const log = new ContextLog(at.session, 0);
  const { sets } = log.state;
  for await (const _ of replaySteps(store, at, log));
  return sets.index.has(id) ? standing(new Map(leveledSets.map((name) => [name, sets[name].has(id)]))) : undefined;
}

/** A step on the way back, with the keyframe of the sets after it where there is one. */
export interface StepBack {
  /** Undefined: erased, or missing. What is before it is known from the heads alone, so the way ends here. */
  readonly document: DocumentOf<"step"> | undefined;
  readonly keyframe: SetLists | undefined;
}

/** The lists of a keyframe that has them. */
type SetLists = Readonly<Record<"index" | "pool" | "active" | "pinned", readonly string[]>>;

/** Steps from the newest to the first, read as far as they are asked for: they follow parents, also into other sessions. */
export async function* stepsBack(store: ObjectStore, from: StepAddress): AsyncGenerator<StepBack> {
  let block: ReadonlyMap<string, StepBack> = new Map();
  for (let address: StepAddress | null = from; address !== null; ) {
    if (!block.has(stepId(address))) block = await blockBefore(store, address);
    const step = block.get(stepId(address));
    yield step ?? { document: undefined, keyframe: undefined };
    // A number that does not fall could lead in a circle; only verifying the store would tell.
    const parent: StepAddress | null = step?.document?.parent ?? null;
    const isCircle: boolean = parent !== null && parent.session === address.session && parent.n >= address.n;
    address = isCircle ? null : parent;
  }
}

async function blockBefore(store: ObjectStore, { session, n }: StepAddress): Promise<ReadonlyMap<string, StepBack>> {
  const first = Math.max(0, n - limits.stepsBackPerRead + 1);
  const addresses = Array.from({ length: n - first + 1 }, (_, place) => ({ session, n: first + place }));
  const found = await store.getMany(addresses.flatMap((address) => [stepId(address), keyframeId(address)]));
  return new Map(
    addresses.map((address) => {
      const document = found.get(stepId(address))?.document;
      const keyframe = found.get(keyframeId(address))?.document;
      const step = {
        document: document !== undefined && isDocumentOf(document, "step") ? document : undefined,
        keyframe: keyframe !== undefined && isDocumentOf(keyframe, "keyframe") ? listsOf(keyframe) : undefined,
      };
      return [stepId(address), step];
    }),
  );
}

function listsOf({ index, pool, active, pinned }: DocumentOf<"keyframe">): SetLists | undefined {
  if (index === undefined || pool === undefined || active === undefined || pinned === undefined) return undefined;
  return { index, pool, active, pinned };
}
