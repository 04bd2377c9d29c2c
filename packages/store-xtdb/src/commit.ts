import { type CheckedCommit, type CommitReceipt, refusals } from "@cm/object-model";
import { basisOf, type Tx } from "./basis.ts";
import { type CommitPlan, planCommit } from "./commit-plan.ts";
import type { CommitRecord, CommitTerms } from "./commit-record.ts";
import { type Database, saw } from "./database.ts";
import { storeError } from "./errors.ts";
import { judgedWrites } from "./judged-writes.ts";
import { storeLimits } from "./limits.ts";
import { requestKey } from "./names.ts";
import { clockLock, timeNow } from "./own-clock.ts";
import { pause } from "./pause.ts";
import { type Revision, revisionOfToken } from "./revision.ts";
import { sendPlan, txOfRequest } from "./send.ts";
import { storeTexts } from "./store-texts.ts";
import { checkAgainstTruth, readTruth, type Truth } from "./truth.ts";
import { freshRandom } from "./version-token.ts";

/**
 * Writes a checked commit as one transaction. What its objects' newest revisions are is guessed from what was seen, and
 * the transaction matches the guess; only where it fails is the database asked.
 */
export function commitWrites(database: Database, commit: CheckedCommit): Promise<CommitReceipt> {
  const { names, now, locks } = database;
  const key = commit.requestId === undefined ? freshRandom() : requestKey(commit.requestId);
  const request = names.request(key);
  const ids = now === undefined ? [request, ...commit.writes.map(({ document }) => document["xt/id"])] : [clockLock];
  return locks.run(ids, () => attemptUntilSettled(database, commit, request));
}

async function attemptUntilSettled(database: Database, commit: CheckedCommit, request: string): Promise<CommitReceipt> {
  const sent = new Map<string, CommitPlan>();
  let truth: Truth | undefined;
  let reliedOn: readonly string[] = [];
  for (let attempt = 0; attempt < storeLimits.attemptsMax; attempt += 1) {
    if (attempt > 1) await pause(attempt);
    let newest = truth === undefined ? guess(database, commit) : knownFrom(truth, commit);
    if (newest === undefined) {
      truth = await readTruth(database, commit, { request, reliedOn });
      if (truth.record !== undefined) return receiptOf(database, { commit, request, record: truth.record, sent });
      checkAgainstTruth(commit, truth);
      newest = knownFrom(truth, commit);
    }
    const terms: CommitTerms = { commit, request, atMs: timeNow(database) };
    const plan = await storeTexts(database, planCommit(database, terms, await judgedWrites(database, terms, newest)));
    sent.set(plan.attempt, plan);
    const tx = await sendPlan(database, { plan, request });
    if (tx !== undefined) return committed(database, { plan, request, tx: timed(tx, terms.atMs) });
    reliedOn = plan.reliedOn;
    truth = await readTruth(database, commit, { request, reliedOn });
    if (truth.record !== undefined) return receiptOf(database, { commit, request, record: truth.record, sent });
    checkAgainstTruth(commit, truth);
    database.memory.guessesNew &&= !commit.writes.some(
      ({ document, expect }, place) =>
        expect === "any" && newest[place] === undefined && truth?.revisions.has(document["xt/id"]),
    );
  }
  throw storeError("store/unavailable", "Other writers were faster each time; nothing was written. Try again.", {
    attempts: storeLimits.attemptsMax,
  });
}

/** The newest revision of each write's object, absent for new ones; `undefined` where the database must be asked. */
function guess({ memory, names }: Database, { writes }: CheckedCommit): (Revision | undefined)[] | undefined {
  const guessed: (Revision | undefined)[] = [];
  for (const { document, expect } of writes) {
    const seen = memory.revisions.get(document["xt/id"]);
    if (seen !== undefined && seen.type !== document.type) return undefined;
    if (expect === "absent") {
      if (seen !== undefined) return undefined;
      guessed.push(undefined);
    } else if (expect === "any") {
      if (seen === undefined && !memory.guessesNew) return undefined;
      guessed.push(seen);
    } else {
      // A caller with a newer token than the newest one seen here has read it elsewhere.
      const named = seen?.token === expect ? seen : revisionOfToken(names, document, expect);
      if (named === undefined) return undefined;
      guessed.push(named);
    }
  }
  return guessed;
}

function knownFrom({ revisions }: Truth, { writes }: CheckedCommit): (Revision | undefined)[] {
  return writes.map(({ document }) => revisions.get(document["xt/id"]));
}

const timed = ({ txId, timeMs }: Tx, atMs: number | undefined): Tx => ({ txId, timeMs: atMs ?? timeMs });

interface Committed {
  readonly plan: CommitPlan;
  readonly request: string;
  readonly tx: Tx;
}

function committed(database: Database, { plan, request, tx }: Committed): CommitReceipt {
  const { memory } = database;
  for (const [id, revision] of plan.revisions) memory.revisions.set(id, revision);
  for (const digest of plan.texts.keys())
    if (memory.texts.get(digest) === undefined) memory.texts.set(digest, "stored");
  memory.transactions.set(request, tx);
  saw(database, tx);
  return { basis: basisOf(tx), transactionTime: new Date(tx.timeMs), results: plan.results };
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
  if (plan !== undefined) return committed(database, { plan, request, tx });
  saw(database, tx);
  const results = commit.writes.map(({ document }, place) => {
    const { outcome, token } = record.results?.[place] ?? { outcome: "unchanged", token: "" };
    return { id: document["xt/id"], outcome, token };
  });
  return { basis: basisOf(tx), transactionTime: new Date(tx.timeMs), results };
}
