import {
  type CheckedCommit,
  type CommitReceipt,
  type ObjectDocument,
  refusals,
  type StoredVersion,
} from "@cm/object-model";
import { basisOf, type Tx } from "./basis.ts";
import { type CommitPlan, planCommit } from "./commit-plan.ts";
import type { CommitRecord, CommitTerms } from "./commit-record.ts";
import { type Database, observeTransaction } from "./database.ts";
import { storeError } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { requestKey } from "./names.ts";
import { planWrites } from "./plan-writes.ts";
import { listedStamp } from "./read-versions.ts";
import { pause } from "./retry-pause.ts";
import { type Revision, revisionOfToken } from "./revision.ts";
import { sendPlan, txOfRequest } from "./send.ts";
import { checkAgainstServerState, readServerState, type ServerState } from "./server-state.ts";
import { clockLock, timeNow } from "./store-clock.ts";
import { storeTexts } from "./store-texts.ts";
import { stampOf } from "./timeline.ts";
import { freshRandom } from "./version-token.ts";

/**
 * Writes a checked commit as one transaction. Assumes optimistically that the newest revisions seen still hold;
 * the transaction matches them, and only a failed match asks the database.
 */
export function commitWrites(database: Database, commit: CheckedCommit): Promise<CommitReceipt> {
  const { names, now, locks } = database;
  const key = commit.requestId === undefined ? freshRandom() : requestKey(commit.requestId);
  const request = names.request(key);
  const ids = now === undefined ? [request, ...commit.writes.map(({ document }) => document["xt/id"])] : [clockLock];
  return locks.run(ids, () => commitWithRetry(database, commit, request));
}

async function commitWithRetry(database: Database, commit: CheckedCommit, request: string): Promise<CommitReceipt> {
  const sent = new Map<string, CommitPlan>();
  let serverState: ServerState | undefined;
  let assumedBlobs: readonly string[] = [];
  for (let attempt = 0; attempt < storeLimits.attemptsMax; attempt += 1) {
    if (attempt > 1) await pause(attempt);
    let newest = serverState === undefined ? optimisticRevisions(database, commit) : revisionsFrom(serverState, commit);
    if (newest === undefined) {
      serverState = await readServerState(database, commit, { request, assumedBlobs });
      if (serverState.record !== undefined)
        return receiptOf(database, { commit, request, record: serverState.record, sent });
      checkAgainstServerState(commit, serverState);
      newest = revisionsFrom(serverState, commit);
    }
    const terms: CommitTerms = { commit, request, atMs: timeNow(database) };
    const plan = await storeTexts(database, planCommit(database, terms, await planWrites(database, terms, newest)));
    sent.set(plan.attempt, plan);
    const tx = await sendPlan(database, { plan, request });
    if (tx !== undefined) return committed(database, { commit, plan, request, tx: timed(tx, terms.atMs) });
    assumedBlobs = plan.assumedBlobs;
    serverState = await readServerState(database, commit, { request, assumedBlobs });
    if (serverState.record !== undefined)
      return receiptOf(database, { commit, request, record: serverState.record, sent });
    checkAgainstServerState(commit, serverState);
    database.memory.assumesNew &&= !commit.writes.some(
      ({ document, expect }, place) =>
        expect === "any" && newest[place] === undefined && serverState?.revisions.has(document["xt/id"]),
    );
  }
  throw storeError("store/unavailable", "Other writers were faster each time; nothing was written. Try again.", {
    attempts: storeLimits.attemptsMax,
  });
}

/** The newest revision of each write's object, absent for new ones; `undefined` where only the database knows. */
function optimisticRevisions(
  { memory, names }: Database,
  { writes }: CheckedCommit,
): (Revision | undefined)[] | undefined {
  const optimistic: (Revision | undefined)[] = [];
  for (const { document, expect } of writes) {
    const seen = memory.revisions.get(document["xt/id"]);
    if (seen !== undefined && seen.type !== document.type) return undefined;
    if (expect === "absent") {
      if (seen !== undefined) return undefined;
      optimistic.push(undefined);
    } else if (expect === "any") {
      if (seen === undefined && !memory.assumesNew) return undefined;
      optimistic.push(seen);
    } else {
      // A caller with a newer token than the newest one seen here has read it elsewhere.
      const named = seen?.token === expect ? seen : revisionOfToken(names, document, expect);
      if (named === undefined) return undefined;
      optimistic.push(named);
    }
  }
  return optimistic;
}

function revisionsFrom({ revisions }: ServerState, { writes }: CheckedCommit): (Revision | undefined)[] {
  return writes.map(({ document }) => revisions.get(document["xt/id"]));
}

const timed = ({ txId, timeMs }: Tx, atMs: number | undefined): Tx => ({ txId, timeMs: atMs ?? timeMs });

interface Committed {
  readonly commit: CheckedCommit;
  readonly plan: CommitPlan;
  readonly request: string;
  readonly tx: Tx;
}

function committed(database: Database, { commit, plan, request, tx }: Committed): CommitReceipt {
  const { memory } = database;
  const revisions = new Map(plan.revisions);
  for (const { document } of commit.writes) {
    const revision = revisions.get(document["xt/id"]);
    if (revision === undefined) continue;
    memory.revisions.set(document["xt/id"], revision);
    memory.versions.written(document["xt/id"], () => lastVersion(document, revision, tx));
  }
  for (const digest of plan.texts.keys()) memory.texts.stored(digest);
  memory.transactions.set(request, tx);
  observeTransaction(database, tx);
  return { basis: basisOf(tx), transactionTime: new Date(tx.timeMs), results: plan.results };
}

/** What was just written, where it is its object's last version. */
function lastVersion(document: ObjectDocument, revision: Revision, { txId, timeMs }: Tx): StoredVersion | undefined {
  const { isLatest, afterErasure } = revision.facts;
  if (txId === undefined || !isLatest || afterErasure) return undefined;
  const entry = { txId, txTime: new Date(timeMs) };
  return { ...listedStamp(stampOf(document["xt/id"], revision, entry)), document };
}

/**
 * The receipt of a commit of this request that took place: an attempt of ours whose answer was lost, or an earlier one.
 * @throws CmError `store/request-reused`
 */
async function receiptOf(
  database: Database,
  {
    commit,
    request,
    record,
    sent,
  }: { commit: CheckedCommit; request: string; record: CommitRecord; sent: ReadonlyMap<string, CommitPlan> },
): Promise<CommitReceipt> {
  const plan = sent.get(record.attempt);
  if (plan === undefined && record.fingerprint !== commit.fingerprint) throw refusals.requestReused();
  const tx = timed(await txOfRequest(database, request), record.atMs);
  if (plan !== undefined) return committed(database, { commit, plan, request, tx });
  observeTransaction(database, tx);
  const results = commit.writes.map(({ document }, place) => {
    const { outcome, token } = record.results?.[place] ?? { outcome: "unchanged", token: "" };
    return { id: document["xt/id"], outcome, token };
  });
  return { basis: basisOf(tx), transactionTime: new Date(tx.timeMs), results };
}
