import { isCmError, refusals } from "@cm/object-model";
import { isXtdbError, type Operation } from "@cm/xtdb-client";
import type { Tx } from "./basis.ts";
import { readRecord } from "./commit-record.ts";
import type { Database } from "./database.ts";
import { unknownOutcome } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { always, documents } from "./queries.ts";
import { pause } from "./retry-pause.ts";

interface Sending {
  /** Holds a match of `request` that there is none yet, and its put. */
  readonly plan: { readonly attempt: string; readonly operations: readonly Operation[] };
  readonly request: string;
}

/**
 * Submits and waits. `undefined` where the transaction was not committed.
 * @throws CmError `store/unknown-outcome` where that cannot be found out
 */
export async function sendPlan(database: Database, sending: Sending): Promise<Tx | undefined> {
  try {
    return await submit(database, sending);
  } catch (error) {
    if (!isXtdbError(error, "xtdb/unknown-outcome")) throw error;
    return await resolveLostAnswer(database, sending, error);
  }
}

async function submit({ client }: Database, { plan }: Sending): Promise<Tx | undefined> {
  const { txId, txTime, committed } = await client.submitAndConfirm(plan.operations);
  return committed ? { txId, timeMs: txTime.getTime() } : undefined;
}

/**
 * The commit's own document says whether the transaction took place. Where it is not there, the same transaction is
 * sent again: should the first one still be on its way, one of the two finds the document and does nothing.
 */
async function resolveLostAnswer(database: Database, sending: Sending, lost: unknown): Promise<Tx | undefined> {
  let isRefused = false;
  for (let look = 0; look < storeLimits.looksMax; look += 1) {
    if (look > 0) await pause(look + 4);
    try {
      await database.client.sync();
      const found = (await documents(database, [sending.request], always)).get(sending.request);
      if (found !== undefined) {
        const isOurs = readRecord(found)?.attempt === sending.plan.attempt;
        return isOurs ? await txOfRequest(database, sending.request) : undefined;
      }
      if (isRefused) return undefined;
      const tx = await submit(database, sending);
      if (tx !== undefined) return tx;
      // By the first one, perhaps, which came after the look: only another look can tell.
      isRefused = true;
    } catch (error) {
      if (!isXtdbError(error) && !isCmError(error)) throw error;
    }
  }
  throw unknownOutcome(lost);
}

/** The transaction of a commit that took place. */
export async function txOfRequest({ client }: Database, request: string): Promise<Tx> {
  const version = await client.entityTx(request, always);
  if (version === undefined) throw refusals.corruptObject(request, "commit");
  return { txId: version.txId, timeMs: version.txTime.getTime() };
}
