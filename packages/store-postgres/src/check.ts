import type { StoreCheck } from "@cm/object-model";
import type { Database } from "./database.ts";
import { storeLimits } from "./limits.ts";

type CheckRow = { problem: string | null; rows: number; newest_ms: number | null };

/** Reads all tables. */
export async function checkOf(database: Database): Promise<StoreCheck> {
  const sql = `SELECT * FROM ${database.schema}.check_1()`;
  const rows = await database.call((session) => session.rows<CheckRow>(sql, []), {
    lost: "nothing",
    deadlineMs: storeLimits.maintenanceMs,
  });
  const newest = rows.find(({ newest_ms }) => newest_ms !== null)?.newest_ms ?? undefined;
  return {
    problems: rows.flatMap(({ problem, rows: count }) => (problem === null ? [] : [`${count} ${problem}.`])),
    ...(newest === undefined ? {} : { newestTransactionTime: new Date(newest) }),
  };
}
