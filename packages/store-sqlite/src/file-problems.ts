import type { StoreCheck } from "@cm/object-model";
import type { Connection } from "./connection.ts";
import { isDamage } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { schemaProblems } from "./schema-problems.ts";

/**
 * What is wrong with the file as such, a sentence each: pages, definitions of tables, indexes (that of texts, too),
 * references between tables, members of sessions, the order of times, what an erasure would have taken. SQLite names
 * pages, tables and row ids, never content.
 */
function fileProblems(connection: Connection): readonly string[] {
  return [
    ...pageProblems(connection),
    ...(foundBy(() => schemaProblems(connection)) ?? []),
    ...referenceProblems(connection),
    ...orderProblems(connection),
  ].slice(0, storeLimits.problemsMax);
}

/** The problems, and the time of the newest transaction. */
export function checkOf(connection: Connection): StoreCheck {
  const problems = fileProblems(connection);
  const newest = foundBy(() => connection.get<{ time: number | null }>("SELECT max(time) AS time FROM tx"))?.time;
  return { problems, ...(typeof newest === "number" ? { newestTransactionTime: new Date(newest) } : {}) };
}

/** `quick_check` would pass over an index that has lost a row. One row may say several things, and several rows the same. */
function pageProblems(connection: Connection): readonly string[] {
  const rows = foundBy(() => connection.all(`PRAGMA integrity_check(${storeLimits.problemsMax})`));
  if (rows === undefined) return ["The database cannot be read to its end."];
  const said = rows.flatMap((row) => String(Object.values(row)[0]).split("\n"));
  return [...new Set(said)].filter((problem) => problem !== "ok" && problem !== heading);
}

/** Above what SQLite says of pages. */
const heading = "*** in database main ***";

function referenceProblems(connection: Connection): readonly string[] {
  const rows = foundBy(() => connection.all<{ table: string; parent: string }>("PRAGMA foreign_key_check")) ?? [];
  const pairs = new Set(rows.map(({ table, parent }) => `Rows of ${table} name rows of ${parent} that are not there.`));
  return [...pairs];
}

/** Of a text: no version has it. The empty one stays where the last version that had it was erased. */
export const isUnnamed = "size > 0 AND NOT EXISTS (SELECT 1 FROM version WHERE version.bid = blob.bid)";

/** Of a source: its object has no version that was not erased. */
export const isOfNoVersion =
  "NOT EXISTS (SELECT 1 FROM version WHERE version.oid = source.oid AND version.erased IS NULL)";

/** What rows are numbered with, and times, which a `Date` must take. */
const number = `BETWEEN 1 AND ${Number.MAX_SAFE_INTEGER}`;
const time = "BETWEEN 0 AND 8640000000000000";

/** What no index of SQLite's has twice: which objects a session has, the times of transactions, what an erasure leaves. */
const orders = [
  // A query that meets such a number gives none of its rows.
  {
    wrong: `SELECT 1 FROM tx WHERE tx_id NOT ${number} OR time NOT ${time}
      UNION ALL SELECT 1 FROM version WHERE valid_from NOT BETWEEN -8640000000000000 AND 8640000000000000
        OR ${["vid", "oid", "tx_id", "ifnull(bid, 1)", "ifnull(session_id, 1)"].map((of) => `${of} NOT ${number}`).join(" OR ")}
      LIMIT 1`,
    problem: "A time or a number of a row is none that was ever written.",
  },
  {
    wrong: `SELECT 1 FROM (SELECT session_id, oid FROM version WHERE session_id IS NOT NULL EXCEPT SELECT session_id, oid FROM member)
      UNION ALL SELECT 1 FROM (SELECT session_id, oid FROM member EXCEPT SELECT session_id, oid FROM version) LIMIT 1`,
    problem: "The members of a session are not those that its versions make.",
  },
  {
    wrong: "SELECT 1 FROM (SELECT time, lag(time) OVER (ORDER BY tx_id) AS before FROM tx) WHERE time < before LIMIT 1",
    problem: "A transaction has an earlier time than the one before it.",
  },
  // What a version is marked as erased by must have come after it, and takes the traces of it along.
  {
    wrong: "SELECT 1 FROM version WHERE erased <= tx_id LIMIT 1",
    problem: "A version is marked as taken by an erasure that was before it.",
  },
  {
    wrong: `SELECT 1 FROM blob WHERE ${isUnnamed} LIMIT 1`,
    problem:
      "A text is there that no version has: its version was lost or changed, or is marked as erased without an erasure.",
  },
  {
    wrong: `SELECT 1 FROM source WHERE ${isOfNoVersion}
      UNION ALL SELECT 1 FROM field JOIN version USING (vid) WHERE erased IS NOT NULL LIMIT 1`,
    problem: "Traces are there of versions that are not: they were lost, or are marked as erased without an erasure.",
  },
] as const;

function orderProblems(connection: Connection): readonly string[] {
  return orders.flatMap(({ wrong, problem }) => (foundBy(() => connection.get(wrong)) === undefined ? [] : [problem]));
}

/** Undefined where the file is too damaged to ask. */
function foundBy<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return undefined;
  }
}
