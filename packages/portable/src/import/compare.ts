import {
  chainHashOf,
  charsIn,
  chatId,
  everyVersion,
  inParts,
  isDocumentOf,
  type ObjectStore,
  ReadSize,
  type StoredVersion,
  sessionObjectId,
  systemPromptId,
  type Write,
} from "@cm/object-model";
import { bundleError } from "../errors.ts";
import { emptyCall } from "../format/empty-call.ts";
import { erasedMarks } from "../format/erased-marks.ts";
import { limits } from "../limits.ts";
import type { CarriedVersion, Inventory } from "../verify/inventory.ts";
import { unknownSessions } from "./import-mark.ts";
import { knownJournal } from "./known-journal.ts";

/** The documents of a bundle that the store already has. */
export interface Comparison {
  /** Lines whose version is there, or was there and was erased: what was erased in this store stays so. */
  readonly known: ReadonlySet<number>;
  /** Content hashes of the system prompts that hold, by session. */
  readonly prompts: Map<string, string>;
  /** Calls that the bundle says were erased, and of which the store does not say so yet. */
  readonly unmarked: readonly string[];
  /** Marks of files and attachments that the bundle says were erased, and of which the store does not say so yet. */
  readonly marks: readonly Write[];
  /** Sessions that the bundle's own continues and of which the store knows nothing. */
  readonly unknown: readonly string[];
}

/**
 * Looks up every object of a bundle, a few at a time.
 * @throws CmError `bundle/conflict` where the store has other content under an id that is written once
 */
export async function compare(store: ObjectStore, inventory: Inventory): Promise<Comparison> {
  const known = new Set<number>();
  const conflicts: string[] = [];
  const living = await livingSessions(store, inventory);
  for (const line of await knownJournal(store, inventory)) known.add(line);
  for (const part of parts(inventory.versions.filter(({ type }) => type in looked))) {
    const found = await store.getMany(part.map(({ id }) => id));
    for (const carried of part) {
      const stored = found.get(carried.id);
      if (isSameStep(carried, stored, inventory) || (await isKnown(store, carried, stored))) known.add(carried.line);
      else if (isWrittenOnce(carried) && (stored !== undefined || isOfOthers(carried, living))) {
        conflicts.push(carried.id);
      }
    }
  }
  const { ofOthers, unmarked } = await erasedCallsIn(store, inventory);
  conflicts.push(...ofOthers);
  if (conflicts.length > 0) throw conflict(conflicts);
  const unknown = await unknownSessions(store, othersOf(inventory));
  const marks = await erasedMarks(store, inventory.erasedObjects);
  return { known, prompts: await promptsOf(store, inventory), unmarked, marks, unknown };
}

/** Types that are compared; heads and system prompts follow their own rules. */
const looked = { toolcall: true, attachment: true, file: true, step: true, keyframe: true };

const isWrittenOnce = ({ type }: CarriedVersion): boolean => type !== "file" && type !== "attachment";

/** A session that goes on in this store writes its steps itself: one of a stranger's would block its way. */
function isOfOthers({ session }: CarriedVersion, living: ReadonlySet<string>): boolean {
  return session !== undefined && living.has(session);
}

/** Sessions of the bundle beside its own that the store has, too. */
async function livingSessions(store: ObjectStore, inventory: Inventory): Promise<ReadonlySet<string>> {
  const others = othersOf(inventory);
  const found = await store.getMany(others.map(sessionObjectId));
  return new Set(others.filter((other) => found.has(sessionObjectId(other))));
}

interface ErasedCalls {
  /** Those that other sessions of the store have: the imported session would show what they say. */
  readonly ofOthers: readonly string[];
  /** Those that are not there, or are as an import that was cut before it erased them left them. */
  readonly unmarked: readonly string[];
}

/** What the store has of the calls that the bundle says were erased. What it has of its own stays. */
async function erasedCallsIn(store: ObjectStore, inventory: Inventory): Promise<ErasedCalls> {
  const { erasedCalls, session } = inventory;
  const own = new Set(sessionsOf(inventory).map(chatId));
  const ofOthers: string[] = [];
  const unmarked: string[] = [];
  const size = new ReadSize();
  for (const part of inParts(erasedCalls, size)) {
    const found = await store.getMany(part);
    size.follow(charsIn(found.values()), part.length);
    for (const id of part) {
      const version = found.get(id);
      const isEmpty = version?.document?.content_hash === emptyCall(id, session).content_hash;
      if (version === undefined || isEmpty) unmarked.push(id);
      else if (version.document !== undefined && !own.has(`${version.document.chat_ref}`)) ofOthers.push(id);
    }
  }
  return { ofOthers, unmarked };
}

/**
 * A step of which text was erased, here or there, is the step that it was: the store keeps what it has. What was erased
 * here is not brought back, and what is whole here stays so.
 */
function isSameStep({ id, type }: CarriedVersion, stored: StoredVersion | undefined, { steps }: Inventory): boolean {
  if (type !== "step" || stored?.document === undefined || !isDocumentOf(stored.document, "step")) return false;
  return chainHashOf(stored.document) === steps.get(id)?.contentHash;
}

async function isKnown(
  store: ObjectStore,
  { id, type, contentHash }: CarriedVersion,
  stored: StoredVersion | undefined,
): Promise<boolean> {
  if (stored === undefined) return false;
  if (stored.contentHash === contentHash && stored.type === type) return true;
  if (type !== "file") return false;
  for await (const version of everyVersion((page) => store.history(id, page))) {
    if (version.contentHash === contentHash) return true;
  }
  return false;
}

/** The bundle's own session, and those whose steps it continues. */
function sessionsOf({ session, steps }: Inventory): readonly string[] {
  return [...new Set([session, ...[...steps.values()].map((step) => step.session)])];
}

const othersOf = (inventory: Inventory): readonly string[] =>
  sessionsOf(inventory).filter((other) => other !== inventory.session);

async function promptsOf(store: ObjectStore, inventory: Inventory): Promise<Map<string, string>> {
  const sessions = sessionsOf(inventory);
  const found = await store.getMany(sessions.map(systemPromptId));
  return new Map(
    sessions.flatMap((of) => {
      const version = found.get(systemPromptId(of));
      return version?.document === undefined ? [] : [[of, version.contentHash] as const];
    }),
  );
}

/** Few objects and few bytes at a time: what the store has is about as long as what is brought. */
function* parts(versions: readonly CarriedVersion[]): Generator<readonly CarriedVersion[]> {
  let part: CarriedVersion[] = [];
  let bytes = 0;
  for (const version of versions) {
    if (part.length > 0 && (part.length >= limits.commitWritesMax || bytes + version.bytes > limits.commitBytesMax)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(version);
    bytes += version.bytes;
  }
  if (part.length > 0) yield part;
}

export function conflict(ids: readonly string[]) {
  return bundleError(
    "bundle/conflict",
    `The store has other content under ${ids.length} ids of the bundle; nothing of it can be imported there.`,
    { ids: ids.slice(0, limits.idsPerErrorMax) },
  );
}
