import { type CheckedCommit, type CommitReceipt, checkAgainstNewest, refusals, timeline } from "@cm/object-model";
import type { Database, Session } from "./database.ts";
import { fromDatabaseText } from "./database-text.ts";
import { fromStandby } from "./errors.ts";
import { halfOf, preparedWrites, requestHash } from "./prepare-commit.ts";
import { basisOf, tokenOf } from "./tokens.ts";

/** What became of a commit. */
interface Answer {
  readonly status: string;
  readonly txId: number;
  readonly timeMs: number;
  /** `OID.N` for each write, with a minus sign where it wrote nothing; of a refused commit the types and tokens as JSON. */
  readonly results: string;
}

const places = Array.from({ length: 26 }, (_, place) => `$${place + 1}`);

/**
 * Writes a checked commit with one statement.
 * @throws CmError `store/request-reused`, `store/conflict`, `store/envelope-changed`, `store/unknown-outcome` where the answer
 *   was lost and no request id tells whether it was written
 */
export async function writeCommit(
  database: Database,
  commit: CheckedCommit,
  now: (() => number) | undefined,
): Promise<CommitReceipt> {
  const { requestId, fingerprint, validTimeMs, writes } = commit;
  const prepared = preparedWrites(writes);
  const sql = `SELECT ${database.schema}.commit_1(${places}) AS lines, pg_is_in_recovery()::int AS standby`;
  const values = [
    database.lockMs,
    requestId === undefined ? null : requestHash(requestId),
    halfOf(fingerprint),
    validTimeMs ?? null,
    clockOf(now),
    ...prepared,
  ];
  const answer = await database.call((session) => written(session, sql, values), {
    lost: requestId === undefined ? "unknown" : "repeat",
  });
  if (answer.status === "reused") throw refusals.requestReused();
  if (answer.status === "refused") refuse(writes, answer.results);
  return receiptOf(writes, answer);
}

async function written(session: Session, sql: string, values: readonly unknown[]): Promise<Answer> {
  const [row] = await session.rows<{ lines: string; standby: number }>(sql, values);
  if (row?.standby !== 0) throw fromStandby();
  const answer = answerIn(row.lines);
  if (answer.status === "repeated") await session.run(replicated);
  return answer;
}

/**
 * Writes to the server's log alone, and so ends when a synchronous standby has all before it: a commit whose wait for the standby
 * was broken off is there when it is repeated, and may not yet be on both.
 */
const replicated = "SELECT pg_logical_emit_message(true, 'cm', '')";

/** Milliseconds of a clock other than the server's. @throws CmError `store/unavailable` for a clock that is none */
export const clockOf = (now: (() => number) | undefined): number | null =>
  now === undefined ? null : timeline.nextTransactionMs(0, now);

function answerIn(lines: string): Answer {
  const [status = "", txId, timeMs, results = ""] = lines.split("\n");
  return { status, txId: Number(txId), timeMs: Number(timeMs), results };
}

function refuse(writes: CheckedCommit["writes"], detail: string): never {
  const newest: readonly (readonly [type: string | null, token: string])[] = JSON.parse(detail);
  checkAgainstNewest(
    writes.map((write, place) => ({ ...write, newest: newest[place] })),
    {
      typeOf: (write) => (typeof write.newest?.[0] === "string" ? fromDatabaseText(write.newest[0]) : undefined),
      tokenOf: (write) => write.newest?.[1],
    },
  );
  throw new TypeError("commit_1 refused what holds");
}

function receiptOf(writes: CheckedCommit["writes"], { txId, timeMs, results }: Answer): CommitReceipt {
  const made = results === "" ? [] : results.split(" ");
  return {
    basis: basisOf(txId),
    transactionTime: new Date(timeMs),
    results: writes.map(({ document }, place) => {
      const [, minus, oid, n] = /^(-?)(\d+)\.(\d+)$/.exec(made[place] ?? "") ?? [];
      return {
        id: document["xt/id"],
        outcome: minus === "-" ? "unchanged" : "written",
        token: tokenOf({ oid: Number(oid), n: Number(n) }),
      };
    }),
  };
}
