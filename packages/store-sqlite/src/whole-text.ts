import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

export type Row = Record<string, SQLOutputValue>;

/** A column of SELECT with text of the caller's, which may have a NUL in it: `whole(o.id) AS id`. */
const marked = /whole\(([\w.]+)\) AS (\w+)/g;

/** SQL as this Node takes it. */
export interface ReadableSql {
  readonly sql: string;
  /** Names of columns that may come as bytes. */
  readonly texts: readonly string[];
}

/**
 * Node 22 and early 24 give a text up to its first NUL and say nothing of the rest. There a text that has one is asked for
 * as bytes, which come whole.
 */
export function readableSql(sql: string, database: DatabaseSync): ReadableSql {
  if (!sql.includes("whole(")) return { sql, texts: [] };
  if (givesWholeTexts(database)) return { sql: sql.replaceAll(marked, "$1 AS $2"), texts: [] };
  return {
    sql: sql.replaceAll(marked, "iif(instr($1, char(0)) > 0, CAST($1 AS BLOB), $1) AS $2"),
    texts: [...sql.matchAll(marked)].map(([, , name = ""]) => name),
  };
}

/** Turns the texts that came as bytes into what they are. */
export function withTexts<R extends Row>(row: R, texts: readonly string[]): R {
  const columns: Row = row;
  for (const name of texts) {
    const value = columns[name];
    if (value instanceof Uint8Array) columns[name] = Buffer.from(value).toString();
  }
  return row;
}

export function withTextsOfAll<R extends Row>(rows: R[], texts: readonly string[]): R[] {
  if (texts.length > 0) for (const row of rows) withTexts(row, texts);
  return rows;
}

let isWhole: boolean | undefined;

function givesWholeTexts(database: DatabaseSync): boolean {
  isWhole ??= database.prepare("SELECT 'a' || char(0) AS text").get()?.text === "a\0";
  return isWhole;
}
