import {
  charsIn,
  coreDocumentTypes,
  type DocumentType,
  type DocumentTypes,
  everyVersion,
  type HistoryReader,
  historiesOf,
  inParts,
  isCmError,
  isDocumentOf,
  leaseId,
  type ObjectDocument,
  type ObjectStore,
  ReadSize,
  sessionOfReference,
} from "@cm/object-model";
import { foundIds } from "../found-ids.ts";
import { limits } from "../limits.ts";
import { readReadable } from "../path/read-readable.ts";
import { ListCheck } from "./check-lists.ts";
import { checkReferences, referencesOf } from "./check-references.ts";
import { checkSession } from "./check-session.ts";
import { checkedStore, checkReplacement, checkVersion } from "./check-version.ts";
import type { Finding, Named } from "./finding.ts";
import { ToCome } from "./unfinished-imports.ts";

export interface VerifyOptions {
  /** Object types of the store. Default: the core types. */
  readonly types?: DocumentTypes;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

export interface VerifyProgress {
  readonly type: string;
  /** Objects that were checked, of all types so far. */
  readonly checked: number;
}

/**
 * Computes everything in a store again: its own files where it can look at them, each version of each object by its schema and hashes, what it names, the
 * lists that have it, and each session's heads and keyframes from its steps. Every damaged document is named, and the walk goes on. It reads what
 * `find` lists, and what others name: an object whose newest version was erased is met only there.
 * @throws CmError what the store throws, but `store/corrupt`, which is a finding
 */
export async function* verifyStore(store: ObjectStore, options: VerifyOptions = {}): AsyncGenerator<Finding> {
  const { types = coreDocumentTypes, onProgress } = options;
  const walk: Walk = {
    store,
    types,
    checked: checkedStore(store, types),
    told: new Set(),
    listed: new Set(),
    named: new Set(),
    count: 0,
    onProgress,
  };
  for (const problem of (await store.check?.())?.problems ?? []) {
    yield { id: "store", problem: "store", detail: problem };
  }
  const toCome = await ToCome.in(store);
  yield* toCome.findings;
  for (const declared of types) {
    try {
      yield* checkType(walk, declared, toCome);
    } catch (error) {
      if (!isCmError(error, "store/corrupt")) throw error;
      const detail = `not all objects of type ${declared.type} can be listed, and those left were not checked: ${error.message}`;
      yield { id: "store", problem: "unreadable", detail };
    }
  }
  yield* unlisted(walk);
}

interface Walk {
  readonly store: ObjectStore;
  readonly types: DocumentTypes;
  /** The store, of which a damaged document is an error. */
  readonly checked: ObjectStore;
  /** What was said of an object that others name. */
  readonly told: Set<string>;
  /** Ids that lists gave, and that sound documents named. */
  readonly listed: Set<string>;
  readonly named: Set<string>;
  readonly onProgress: VerifyOptions["onProgress"];
  count: number;
}

async function* checkType(walk: Walk, declared: DocumentType, toCome: ToCome): AsyncGenerator<Finding> {
  const { store, types, checked, told, onProgress } = walk;
  const { type } = declared;
  const size = new ReadSize(limits.objectsPerPage);
  const lists = new ListCheck(store, declared);
  for await (const ids of foundIds(store, { type }, limits.objectsPerPage)) {
    const objects = await checkObjects(store, ids, { type, types, size });
    for (const { findings } of objects) yield* findings;
    const named = objects.flatMap((object) => object.named);
    for await (const finding of checkReferences(store, named, { types, toCome })) {
      const isOfNamed = finding.problem !== "missing";
      if (isOfNamed && told.has(finding.id)) continue;
      if (isOfNamed) told.add(finding.id);
      yield finding;
    }
    for (const id of ids) walk.listed.add(id);
    for (const { reference } of named) walk.named.add(reference.id);
    await lists.take(ids);
    if (type === "session") {
      yield* strangeLeases(walk, ids);
      for (const session of ids.map(sessionOfReference))
        yield* checkSession(checked, session, toCome.isUnfinished(session));
    }
    walk.count += ids.length;
    onProgress?.({ type, checked: walk.count });
  }
  yield* lists.findings();
}

/**
 * What documents name and no list has given, as it is where its newest version was erased: each is read by itself. One that is there must be
 * in the list of its type.
 */
async function* unlisted({ store, types, listed, named, told }: Walk): AsyncGenerator<Finding> {
  const ids = [...named].filter((id) => !listed.has(id) && !told.has(id));
  const left = new Map<string, string>();
  for (let from = 0; from < ids.length; from += limits.referencesPerRead) {
    const part = ids.slice(from, from + limits.referencesPerRead);
    const { found, unreadable } = await readReadable(store, part);
    for (const [id, { type, erased }] of found) if (erased === undefined) left.set(id, type);
    const histories = await historiesOf(store, part, { documents: true, limit: limits.versionsPerPage });
    for (const [id, read] of histories) {
      const { findings } = await checkObject(read, id, { type: found.get(id)?.type ?? "", types });
      yield* findings;
      if (findings.length > 0 || found.has(id)) continue;
      if (unreadable.has(id))
        yield { id, problem: "unreadable", detail: "the document of its newest version is damaged" };
      else if (await shouldHold(read))
        yield { id, problem: "store", detail: "its newest version does not hold, though nothing was written after it" };
    }
  }
  for (const type of new Set(left.values())) {
    const isListed = await listOf(store, type);
    if (isListed === undefined) continue;
    for (const [id, its] of left)
      if (its === type && !isListed.has(id))
        yield { id, type, problem: "store", detail: "the list of its type does not have it" };
  }
}

/** Whether the newest version of an object holds from when it was written, or before: one that is planned may not yet. */
async function shouldHold(read: HistoryReader): Promise<boolean> {
  for await (const { erased, validTime, transactionTime } of everyVersion(read))
    return erased === undefined && validTime <= transactionTime;
  return false;
}

/** The list as it is now: it has what was written meanwhile, too. Undefined where it cannot be read, which has a finding. */
async function listOf(store: ObjectStore, type: string): Promise<ReadonlySet<string> | undefined> {
  const listed = new Set<string>();
  try {
    for await (const ids of foundIds(store, { type }, limits.objectsPerPage)) for (const id of ids) listed.add(id);
    return listed;
  } catch (error) {
    if (!isCmError(error, "store/corrupt")) throw error;
    return undefined;
  }
}

/** Nothing names a lease, and none is there where a session was closed. */
async function* strangeLeases({ store, types }: Walk, ids: readonly string[]): AsyncGenerator<Finding> {
  const named = ids.map((id) => ({ by: { id, type: "session" }, reference: { id: leaseId(sessionOfReference(id)) } }));
  for await (const finding of checkReferences(store, named, { types })) if (finding.problem === "stamp") yield finding;
}

type OfType = { readonly type: string; readonly types: DocumentTypes };

interface CheckedObject {
  readonly findings: readonly Finding[];
  /** By its sound versions. */
  readonly named: readonly Named[];
  readonly chars: number;
}

/** Some at once, since a store may be far away, and no more than their size allows. */
async function checkObjects(
  store: ObjectStore,
  ids: readonly string[],
  of: OfType & { readonly size: ReadSize },
): Promise<readonly CheckedObject[]> {
  const objects: CheckedObject[] = [];
  for (const read of inParts(ids, of.size)) {
    const histories = [...(await historiesOf(store, read, { documents: true, limit: limits.versionsPerPage }))];
    for (let from = 0; from < histories.length; from += limits.objectsAtOnceMax) {
      const part = histories.slice(from, from + limits.objectsAtOnceMax);
      objects.push(...(await Promise.all(part.map(([id, reader]) => checkObject(reader, id, of)))));
    }
    const chars = objects.slice(-read.length).reduce((sum, object) => sum + object.chars, 0);
    of.size.follow(chars, read.length);
  }
  return objects;
}

/** All versions of one object. */
async function checkObject(read: HistoryReader, id: string, { type, types }: OfType): Promise<CheckedObject> {
  const findings: Finding[] = [];
  const named = new Map<string, Named>();
  let chars = 0;
  const versions: Parameters<typeof checkReplacement>[0][number][] = [];
  try {
    for await (const version of everyVersion(read)) {
      chars += charsIn([version]);
      const { finding, document } = checkVersion(version, types);
      if (finding !== undefined) findings.push({ ...finding, id });
      if (type === "step") versions.push({ version, document });
      for (const reference of document === undefined ? [] : referencesOf(document)) {
        named.set(`${reference.id} ${reference.contentHash}`, { by: { id, type, ...chatOf(document) }, reference });
      }
    }
    findings.push(...checkReplacement(versions));
  } catch (error) {
    if (!isCmError(error, "store/corrupt")) throw error;
    findings.push({ id, type, problem: "unreadable", detail: error.message });
  }
  return { findings, named: [...named.values()], chars };
}

const chatOf = (document: ObjectDocument | undefined): { readonly chat?: string } =>
  isDocumentOf(document, "toolcall") ? { chat: document.chat_ref } : {};
