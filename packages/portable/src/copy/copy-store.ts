import {
  attachmentIdsOf,
  type Basis,
  type CommitOptions,
  coreDocumentTypes,
  type DocumentTypes,
  isCmError,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  type Write,
} from "@cm/object-model";
import { bundleError } from "../errors.ts";
import { emptyCall } from "../format/empty-call.ts";
import { erasedMarks } from "../format/erased-marks.ts";
import { limits } from "../limits.ts";
import { everyId } from "./every-id.ts";
import { lookAhead } from "./look-ahead.ts";
import { readHistories } from "./read-histories.ts";
import { type Stamp, type Transaction, transactionsOf } from "./transactions.ts";

export interface CopyOptions {
  /** `true`: goes on with a copy that was interrupted. Default: the other store must be empty. */
  readonly resume?: boolean;
  /** Object types of the store. Default: the core types. */
  readonly types?: DocumentTypes;
  readonly onProgress?: (progress: CopyProgress) => void;
}

export interface CopyProgress {
  readonly phase: "looking" | "copying" | "comparing";
  /** Transactions, and objects while comparing. */
  readonly done: number;
  readonly total: number;
}

export interface CopyReceipt {
  readonly objects: number;
  readonly versions: number;
  readonly transactions: number;
  /**
   * Versions that were erased and are not in the copy. Of calls a mark is, and what replaces a step stands in its place; of
   * files and attachments, whose ids are made of what went with them, a document says so.
   */
  readonly erased: number;
  /** The basis that stands for each of the first store. */
  readonly bases: ReadonlyMap<Basis, Basis>;
}

/**
 * Copies a whole store: every version, with both of its times, transaction by transaction in their order, and compares all
 * that was written. A repeated call writes nothing twice.
 * @param open opens the other store with this clock, by which each transaction gets its first time again; no other client may
 *   write to it meanwhile
 * @throws CmError `copy/not-empty`, `copy/differs` with the ids; those of the stores
 */
export async function copyStore(
  from: ObjectStore,
  open: (setting: { readonly now: () => number }) => Promise<ObjectStore> | ObjectStore,
  { resume = false, types = coreDocumentTypes, onProgress }: CopyOptions = {},
): Promise<CopyReceipt> {
  let nowMs = 0;
  const to = await open({ now: () => nowMs });
  try {
    if (!resume) await checkIsEmpty(to, types);
    onProgress?.({ phase: "looking", done: 0, total: 0 });
    const ids = await everyId(from, types);
    const transactions = await transactionsOf(from, ids);
    const bases = new Map<Basis, Basis>();
    // A version that says what the one before it says, because what stood between them was erased.
    const unchanged = new Set<string>();
    // Attachments that only calls name: what lists lack of them was erased.
    const attached = new Set<string>();
    let done = 0;
    for await (const { transaction, commit } of lookAhead(transactions, limits.transactionsAhead, (next) =>
      read(from, next),
    )) {
      nowMs = transaction.transactionMs;
      const receipt = commit && (await committed(() => to.commit(commit.writes, commit.options)));
      done += 1;
      if (receipt !== undefined) bases.set(transaction.basis, receipt.basis);
      for (const { document } of commit?.writes ?? []) {
        for (const id of attachmentIdsOf(document)) if (!ids.has(id)) attached.add(id);
      }
      for (const { id, outcome } of receipt?.results ?? []) {
        if (outcome === "unchanged") unchanged.add(`${transaction.basis} ${id}`);
      }
      onProgress?.({ phase: "copying", done, total: transactions.length });
    }
    await eraseAgain(to, transactions, (ms) => {
      nowMs = ms;
    });
    const beside = await transactionsOf(from, attached);
    const kept = transactions.flatMap((transaction) => transaction.stamps.filter(({ isErased }) => !isErased));
    const written = kept.filter(({ basis, id }) => !unchanged.has(`${basis} ${id}`));
    await compareAll(
      to,
      written.filter(({ id }) => !marks.test(id)),
      { bases, onProgress },
    );
    await markErased(to, [...transactions, ...beside]);
    return {
      objects: new Set(kept.map(({ id }) => id)).size,
      versions: written.length,
      transactions: bases.size,
      erased: [...transactions, ...beside].reduce((sum, { stamps }) => sum + stamps.length, -kept.length),
      bases,
    };
  } finally {
    await to.close?.();
  }
}

async function checkIsEmpty(store: ObjectStore, types: DocumentTypes): Promise<void> {
  for (const { type } of types) {
    const { versions } = await store.find({ type }, { limit: 1 });
    if (versions.length === 0) continue;
    throw bundleError("copy/not-empty", "The store to copy into has objects; name an empty one, or resume a copy.");
  }
}

interface ReadTransaction {
  readonly transaction: Transaction;
  /** Undefined for one of which all was erased. */
  readonly commit?: { readonly writes: readonly Write[]; readonly options: CommitOptions };
}

/** A transaction's commit had one valid time. */
async function read(from: ObjectStore, transaction: Transaction): Promise<ReadTransaction> {
  const { basis, stamps } = transaction;
  const kept = stamps.filter(({ isErased }) => !isErased);
  const emptied = stamps.filter(({ erased }) => erased !== undefined);
  const [first] = [...kept, ...emptied];
  if (first === undefined) return { transaction };
  const validTime = new Date(first.validMs);
  const writes: Write[] = [];
  for (const same of Map.groupBy(kept, ({ readAt }) => readAt.basis).values()) {
    const at = same[0]?.readAt ?? first.readAt;
    const found = await from.getMany(
      same.map(({ id }) => id),
      { basis: at.basis, validTime: new Date(at.validMs) },
    );
    for (const { id } of same) writes.push({ document: documentIn(found, id), expect: "any" });
  }
  for (const { id } of emptied) writes.push({ document: emptyCall(id, "erased"), expect: "any" });
  return { transaction, commit: { writes, options: { validTime, requestId: `copy ${basis}` } } };
}

/** For the reasons and in the order of the first store. */
async function eraseAgain(
  to: ObjectStore,
  transactions: readonly Transaction[],
  setClock: (ms: number) => void,
): Promise<void> {
  const erased = transactions
    .flatMap(({ stamps }) => stamps.flatMap((stamp) => (stamp.erased ? [{ id: stamp.id, ...stamp.erased }] : [])))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  for (const same of Map.groupBy(erased, ({ at, reason }) => `${at.getTime()} ${reason}`).values()) {
    const [first] = same;
    if (first === undefined) continue;
    setClock(first.at.getTime());
    const there = await to.getMany(same.map(({ id }) => id));
    const ids = same.map(({ id }) => id).filter((id) => there.get(id)?.erased === undefined);
    if (ids.length > 0) await to.erase(ids, first.reason);
  }
}

/** Marks may be longer in a copy: of what was erased here, too. */
const marks = /^erased_object:/;

/** Of files, attachments and system prompts nothing can be erased again: what names them says that they were. */
async function markErased(to: ObjectStore, transactions: readonly Transaction[]): Promise<void> {
  const erased = new Map<string, Set<string>>();
  for (const { id, contentHash } of transactions
    .flatMap(({ stamps }) => stamps)
    .filter(({ isErased, isMarked }) => isErased && isMarked)) {
    erased.set(id, (erased.get(id) ?? new Set()).add(contentHash));
  }
  const writes = await erasedMarks(to, erased);
  for (let from = 0; from < writes.length; from += limits.commitWritesMax) {
    await committed(() => to.commit(writes.slice(from, from + limits.commitWritesMax)));
  }
}

function documentIn(found: Awaited<ReturnType<ObjectStore["getMany"]>>, id: string): ObjectDocument {
  const document = found.get(id)?.document;
  if (document !== undefined) return document;
  throw bundleError("copy/differs", "The store that is copied was changed meanwhile; resume the copy.", { ids: [id] });
}

/** An answer that was lost is asked for again: the request id tells. */
async function committed<T>(commit: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await commit();
    } catch (error) {
      if (!isCmError(error, "store/unknown-outcome") || attempt >= limits.commitAttemptsMax) throw error;
    }
  }
}

interface Comparison {
  readonly bases: ReadonlyMap<Basis, Basis>;
  readonly onProgress: CopyOptions["onProgress"];
}

/** What stands in the copy is read again, with its text, and held against the stamps of the first store. */
async function compareAll(to: ObjectStore, stamps: readonly Stamp[], { bases, onProgress }: Comparison): Promise<void> {
  const byId = Map.groupBy(stamps, ({ id }) => id);
  const wrong: string[] = [];
  let done = 0;
  for await (const { id, versions } of readHistories(to, byId.keys(), { documents: true })) {
    if (await differ(versions, byId.get(id) ?? [], bases)) wrong.push(id);
    done += 1;
    onProgress?.({ phase: "comparing", done, total: byId.size });
  }
  if (wrong.length === 0) return;
  throw bundleError("copy/differs", `The copy differs in ${wrong.length} objects; copy into an empty store.`, {
    ids: wrong.slice(0, limits.idsPerErrorMax),
  });
}

/** Whether an object is not in the copy as it was. */
async function differ(
  versions: AsyncIterable<ListedVersion>,
  expected: readonly Stamp[],
  bases: ReadonlyMap<Basis, Basis>,
): Promise<boolean> {
  const wanted = new Map(expected.map((stamp) => [`${bases.get(stamp.basis)} ${stamp.validMs}`, stamp]));
  for await (const version of versions) {
    const key = `${version.basis} ${version.validTime.getTime()}`;
    const stamp = wanted.get(key);
    const isSame =
      stamp?.contentHash === version.contentHash &&
      stamp.transactionMs === version.transactionTime.getTime() &&
      version.document?.content_hash === stamp.contentHash;
    if (!isSame) return true;
    wanted.delete(key);
  }
  return wanted.size > 0;
}
