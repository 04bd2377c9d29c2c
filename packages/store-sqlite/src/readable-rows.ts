import type { Connection } from "./connection.ts";
import { isDamage } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import type { Row } from "./whole-text.ts";

/** How far rows are looked for behind a place that cannot be read, by row id. Ids are dense. */
const stepsMax = 40;

/**
 * The rows of a table of a damaged file, as far as they can be read, without its indexes; `unreadable` stands where some
 * may be missing. Row ids make it possible to go on behind a damaged page.
 */
export function* readableRows(connection: Connection, table: string): Generator<Row | "unreadable"> {
  const columns = columnsOf(connection, table);
  const selected = columns.map(({ name, type }) => (type === "TEXT" ? `whole(${name}) AS ${name}` : name)).join(", ");
  const key = columns.find(({ type, pk }) => pk === 1 && type === "INTEGER")?.name;
  if (key === undefined) {
    yield* rowsInOrder(connection, { table, selected });
    return;
  }
  const of = { table, selected, key };
  let first = 1;
  for (;;) {
    const rows = rowsFrom(connection, { ...of, first, rows: storeLimits.recoverRowsAtOnce });
    const some = rows ?? rowsFrom(connection, { ...of, first, rows: 1 });
    if (some === undefined) {
      yield "unreadable";
      const next = nextReadable(connection, { ...of, first });
      if (next === undefined) return;
      first = next;
      continue;
    }
    yield* some;
    const newest = some.at(-1)?.[key];
    if (typeof newest !== "number") return;
    first = newest + 1;
  }
}

interface Selection {
  readonly table: string;
  /** Its columns, as SQL. */
  readonly selected: string;
}

interface Place extends Selection {
  readonly key: string;
  /** The row id from which rows are read: to ask for those behind one would go to the page of that one, too. */
  readonly first: number;
}

/** Undefined where a page on the way is damaged. */
function rowsFrom(
  connection: Connection,
  { table, selected, key, first, rows }: Place & { readonly rows: number },
): readonly Row[] | undefined {
  try {
    return connection.all(
      `SELECT ${selected} FROM ${table} NOT INDEXED WHERE ${key} >= ? ORDER BY ${key} LIMIT ${rows}`,
      first,
    );
  } catch (error) {
    if (!isDamage(error)) throw error;
    return undefined;
  }
}

/** The smallest row id from which a row can be read again: first in growing steps, then halved. */
function nextReadable(connection: Connection, place: Place): number | undefined {
  const { first } = place;
  const works = (at: number): boolean => rowsFrom(connection, { ...place, first: at, rows: 1 }) !== undefined;
  let step = 1;
  for (let n = 0; n < stepsMax && !works(first + step); n += 1) step *= 2;
  if (!works(first + step)) return undefined;
  let [bad, good] = [first + Math.floor(step / 2), first + step];
  while (good - bad > 1) {
    const middle = Math.floor((bad + good) / 2);
    if (works(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** `pk` is 1 for the first column of the primary key; an integer there is the row id. */
function columnsOf(connection: Connection, table: string) {
  return connection.all<{ name: string; type: string; pk: number }>(
    "SELECT name, type, pk FROM pragma_table_info(?)",
    table,
  );
}

/** Without row ids nothing leads behind a damaged page. */
function* rowsInOrder(connection: Connection, { table, selected }: Selection): Generator<Row | "unreadable"> {
  try {
    yield* connection.iterate(`SELECT ${selected} FROM ${table}`, {});
  } catch (error) {
    if (!isDamage(error)) throw error;
    yield "unreadable";
  }
}
