import type { Basis, Erasure, ListedVersion, ObjectStore } from "@cm/object-model";
import { hasErasedMark } from "../format/erased-marks.ts";
import { readHistories } from "./read-histories.ts";

/** A version to copy: its stamp without the text, and its place in its object's history, newest first. */
export interface Stamp {
  readonly id: string;
  readonly place: number;
  readonly basis: Basis;
  readonly contentHash: string;
  readonly validMs: number;
  readonly transactionMs: number;
  readonly isErased: boolean;
  /** Of an object whose id or text is not to be had without what was erased: a mark says in the copy that it was. */
  readonly isMarked: boolean;
  /** Present on one version of a call that was erased as a whole: the copy has an empty call there, and erases it again. */
  readonly erased?: Erasure;
  /** Where its document is read: where it stands, or for a step whose text was erased where its replacement does. */
  readonly readAt: { readonly basis: Basis; readonly validMs: number };
}

/** All versions that one transaction wrote. */
export interface Transaction {
  readonly basis: Basis;
  readonly transactionMs: number;
  readonly stamps: readonly Stamp[];
}

/** The transactions that wrote the objects, in their order. */
export async function transactionsOf(store: ObjectStore, ids: Iterable<string>): Promise<readonly Transaction[]> {
  const byBasis = new Map<Basis, Stamp[]>();
  for await (const { versions } of readHistories(store, ids, { documents: false })) {
    for (const stamp of await stampsOf(versions)) {
      const together = byBasis.get(stamp.basis) ?? [];
      together.push(stamp);
      byBasis.set(stamp.basis, together);
    }
  }
  const transactions = [...byBasis].map(([basis, stamps]) => ({
    basis,
    stamps,
    transactionMs: stamps[0]?.transactionMs ?? 0,
  }));
  transactions.sort((a, b) => a.transactionMs - b.transactionMs);
  const ordered: Transaction[] = [];
  for (const together of sameMoment(transactions)) ordered.push(...(await inOrder(store, together)));
  return ordered;
}

/** Newest first. A session reads a step as of its first version: the one that replaces it stands there in the copy, too. */
async function stampsOf(versions: AsyncIterable<ListedVersion>): Promise<readonly Stamp[]> {
  const stamps: Stamp[] = [];
  let newer: Stamp | undefined;
  let erased: Erasure | undefined;
  for await (const version of versions) {
    const stamp = stampOf(version, stamps.length);
    const isReplaced = stamp.isErased && version.type === "step" && newer !== undefined;
    stamps.push(isReplaced && newer !== undefined ? replacedBy(stamp, newer) : stamp);
    if (!stamp.isErased) newer = stamp;
    if (version.type === "toolcall" && version.erased !== undefined) erased = version.erased;
  }
  const oldest = stamps.at(-1);
  if (oldest === undefined || erased === undefined || newer !== undefined) return stamps;
  return [...stamps.slice(0, -1), { ...oldest, erased }];
}

const replacedBy = (stamp: Stamp, { contentHash, readAt }: Stamp): Stamp => ({
  ...stamp,
  contentHash,
  readAt,
  isErased: false,
});

function stampOf(
  { id, type, basis, contentHash, validTime, transactionTime, erased }: ListedVersion,
  place: number,
): Stamp {
  const validMs = validTime.getTime();
  return {
    ...{ id, place, basis, contentHash, validMs, readAt: { basis, validMs } },
    transactionMs: transactionTime.getTime(),
    isErased: erased !== undefined,
    isMarked: hasErasedMark(type),
  };
}

/** Times do not tell which of several transactions of one millisecond was first. */
function* sameMoment(sorted: readonly Transaction[]): Generator<readonly Transaction[]> {
  let together: Transaction[] = [];
  for (const transaction of sorted) {
    if (together[0] !== undefined && together[0].transactionMs !== transaction.transactionMs) {
      yield together;
      together = [];
    }
    together.push(transaction);
  }
  if (together.length > 0) yield together;
}

/** The store tells by what each of them sees: a later one sees the versions of more. */
async function inOrder(store: ObjectStore, together: readonly Transaction[]): Promise<readonly Transaction[]> {
  if (together.length < 2) return together;
  const stamps = together.flatMap((transaction) => transaction.stamps);
  const seen = new Map<Transaction, number>();
  for (const transaction of together) seen.set(transaction, (await basesSeenAt(store, transaction.basis, stamps)).size);
  return [...together].sort((a, b) => (seen.get(a) ?? 0) - (seen.get(b) ?? 0));
}

/** The transactions of these versions that are there at a basis. */
async function basesSeenAt(store: ObjectStore, basis: Basis, stamps: readonly Stamp[]): Promise<ReadonlySet<Basis>> {
  const bases = new Set<Basis>();
  const placeOf = new Map(stamps.map(({ id, basis: of, place }) => [`${of} ${id}`, place]));
  for (const validMs of new Set(stamps.map((stamp) => stamp.validMs))) {
    const asked = stamps.filter((stamp) => stamp.validMs === validMs);
    const found = await store.getMany([...new Set(asked.map(({ id }) => id))], { basis, validTime: new Date(validMs) });
    for (const stamp of asked) {
      const held = found.get(stamp.id);
      if (held === undefined || held.validTime.getTime() !== validMs) continue;
      // Of one valid time the latest holds: it, or one that was written over it in the meantime, which is newer in the history.
      const place = placeOf.get(`${held.basis} ${stamp.id}`);
      if (place !== undefined && place <= stamp.place) bases.add(stamp.basis);
    }
  }
  return bases;
}
