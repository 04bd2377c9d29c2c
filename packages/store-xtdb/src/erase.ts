import { type EraseReceipt, isCmError, type NamedVersions, refusals } from "@cm/object-model";
import { isXtdbError } from "@cm/xtdb-client";
import { basisOf, type Tx } from "./basis.ts";
import { type Database, observeTransaction } from "./database.ts";
import { type ErasedVersions, erasedVersionsOf, lateVersions } from "./erased-versions.ts";
import { type ErasurePlan, planErasure } from "./erasure-plan.ts";
import { storeError, unfinishedErasure } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { always, documents } from "./queries.ts";
import { namingIds } from "./read-versions.ts";
import { pause } from "./retry-pause.ts";
import { sendPlan } from "./send.ts";
import { clockLock, timeNow } from "./store-clock.ts";
import { storedList } from "./stored-json.ts";

/**
 * Takes what is named and every version with the same text. One transaction does it, whole or not at all, and
 * matches the newest revision of every object it takes from, so nothing is written to them meanwhile.
 */
export function eraseObjects(
  database: Database,
  named: ReadonlyMap<string, NamedVersions>,
  reason: string,
): Promise<EraseReceipt> {
  return database.now === undefined
    ? eraseUnlocked(database, named, reason)
    : database.locks.run([clockLock], () => eraseUnlocked(database, named, reason));
}

async function eraseUnlocked(
  database: Database,
  targets: ReadonlyMap<string, NamedVersions>,
  reason: string,
): Promise<EraseReceipt> {
  const naming = new Map(namingIds([...targets.keys()]).map((id) => [id, targets.get(id) ?? "all"] as const));
  const { tx, erasedVersions } = await eraseOnce(database, {
    reason,
    texts: true,
    find: () => erasedVersionsOf(database, naming),
  });
  const named = new Set(erasedVersions.present);
  const lost = new Set(erasedVersions.objects.map(({ id }) => id));
  await mapEvictionError(eraseLate(database, { reason, tx, erasedVersions, lost }));
  return {
    basis: basisOf(tx),
    at: new Date(tx.timeMs),
    erased: [...named].sort(),
    shared: [...lost].filter((id) => !named.has(id)).sort(),
    unknown: [...targets.keys()].filter((id) => !named.has(id)),
  };
}

/** The texts that an erasure took, by their tags, and its transaction. */
interface TextErasure {
  readonly txId: number;
  readonly tags: ReadonlySet<string>;
}

/** This erasure, and those before it that may have broken off once their transaction was committed. */
async function erasuresOf(
  database: Database,
  { txId }: Tx,
  { tags, past }: ErasedVersions,
): Promise<readonly TextErasure[]> {
  const transactions = new Map(past.map(({ record, txId }) => [record, txId]));
  const records = await documents(database, [...transactions.keys()], always);
  const earlier = [...records].map(([id, record]) => ({
    txId: transactions.get(String(id)) ?? 0,
    tags: new Set(storedList(record["cm/erased_texts"]).map(String)),
  }));
  return txId === undefined ? earlier : [...earlier, { txId, tags }];
}

/**
 * A commit that gave one of the texts to an object which did not have it may have come between the look and the
 * erasure. Its version goes, too.
 */
async function eraseLate(
  database: Database,
  { reason, tx, erasedVersions, lost }: { reason: string; tx: Tx; erasedVersions: ErasedVersions; lost: Set<string> },
): Promise<void> {
  for (const { txId, tags } of await erasuresOf(database, tx, erasedVersions)) {
    const find = () => lateVersions(database, tags, txId);
    for (let round = 0; tags.size > 0 && round < storeLimits.erasureRoundsMax; round += 1) {
      if ((await find()).objects.length === 0) break;
      const late = await eraseOnce(database, { reason, texts: false, find });
      for (const { id } of late.erasedVersions.objects) lost.add(id);
    }
  }
}

interface ErasureTerms {
  readonly reason: string;
  /** Whether the texts themselves go. Later ones may have been written since. */
  readonly texts: boolean;
  find(): Promise<ErasedVersions>;
}

async function eraseOnce(database: Database, terms: ErasureTerms): Promise<{ tx: Tx; erasedVersions: ErasedVersions }> {
  for (let attempt = 0; attempt < storeLimits.attemptsMax; attempt += 1) {
    if (attempt > 0) await pause(attempt);
    const erasedVersions = await terms.find();
    const atMs = timeNow(database);
    const plan = planErasure(database, { ...terms, atMs }, erasedVersions);
    const sent = await sendPlan(database, { plan, request: plan.request });
    if (sent === undefined) continue;
    const tx = { txId: sent.txId, timeMs: atMs ?? sent.timeMs };
    remember(database, plan, tx);
    await mapEvictionError(confirmEvicted(database, plan, tx));
    return { tx, erasedVersions };
  }
  throw storeError("store/unavailable", "Other writers were faster each time; nothing was erased. Try again.", {
    attempts: storeLimits.attemptsMax,
  });
}

function remember(database: Database, { revisions, texts }: ErasurePlan, tx: Tx): void {
  for (const [id, revision] of revisions) {
    database.memory.revisions.set(id, revision);
    database.memory.versions.forget(id);
  }
  for (const digest of texts) database.memory.texts.gone(digest);
  observeTransaction(database, tx);
}

/** An error from here on must not claim that nothing was written. */
async function mapEvictionError(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    throw isXtdbError(error) || isCmError(error, "store/unavailable") ? unfinishedErasure(error) : error;
  });
}

/** XTDB must show no version of before any more. @throws CmError `store/corrupt` */
async function confirmEvicted({ client }: Database, { evicted }: ErasurePlan, { txId = 0 }: Tx): Promise<void> {
  if (evicted.length === 0) return;
  for (const [id, entries] of await client.histories(evicted, { documents: false })) {
    if (entries.some((entry) => entry.txId <= txId)) throw refusals.corruptObject(String(id), "erased document");
  }
}
