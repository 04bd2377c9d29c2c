import { type Basis, everyVersion, type ListedVersion, type ObjectStore } from "@cm/object-model";

/** A version to copy: its stamp without the text, and its place in its object's history, newest first. */
export interface Stamp {
  readonly id: string;
  readonly place: number;
  readonly basis: Basis;
  readonly contentHash: string;
  readonly validMs: number;
  readonly transactionMs: number;
  readonly isErased: boolean;
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
  for (const id of ids) {
    let place = 0;
    for await (const version of everyVersion((page) => store.history(id, page))) {
      const stamps = byBasis.get(version.basis) ?? [];
      stamps.push(stampOf(version, place));
      byBasis.set(version.basis, stamps);
      place += 1;
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

const stampOf = (version: ListedVersion, place: number): Stamp => ({
  id: version.id,
  place,
  basis: version.basis,
  contentHash: version.contentHash,
  validMs: version.validTime.getTime(),
  transactionMs: version.transactionTime.getTime(),
  isErased: version.erased !== undefined,
});

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
