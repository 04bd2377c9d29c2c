import type { JsonValue } from "@cm/object-model";
import {
  byName,
  type FlatState,
  type RowName,
  type Rows,
  rowNames,
  setTables,
  type Table,
  type TableName,
  tableNames,
} from "./flat-state.ts";
import { type Runs, runsOf } from "./runs.ts";

/**
 * What of a flat state the next keyframe is compared with. An open session keeps it between two keyframes, so it is
 * small: of rows, which only grow, how many there are and the last one; of tables that have many members, their keys.
 */
export interface FlatOutline {
  readonly rows: Readonly<Record<RowName, RowsOutline>>;
  readonly tables: Readonly<Record<TableName, TableOutline>>;
}

interface RowsOutline {
  readonly count: number;
  readonly last: JsonValue | undefined;
  /** Places of files that were erased: a row changes where such a one is seen again. */
  readonly erased: readonly number[];
}

/** Keys in their order, with other values by now where that is said; or the whole table where values change. */
type TableOutline = { readonly keys: Runs; readonly haveOtherValues?: true } | { readonly table: Table };

/** Members have no value, or one that never changes: what is said of an entry that left the prompt. */
const keysAlone: ReadonlySet<TableName> = new Set([...setTables, "idle", "dropped", "omitted"]);

export function outlineOf({ rows, tables }: Pick<FlatState, "rows" | "tables">): FlatOutline {
  return {
    rows: byName(rowNames, (name) => ({
      ...{ count: rows[name].length, last: rows[name].at(-1) },
      erased: name === "objects" ? erasedFiles(rows.objects, tables.inSight) : [],
    })),
    tables: byName(tableNames, (name) => tableOutline(name, tables[name])),
  };
}

function erasedFiles(objects: Rows, inSight: Table): readonly number[] {
  return [...inSight.keys()].flatMap((key) => (typeof key === "number" && isErased(objects.at(key)) ? [key] : []));
}

/** Whether a row says of an object that it was erased. */
export const isErased = (row: JsonValue | undefined): boolean => Array.isArray(row) && row[3] === 1;

/** The outline where what never changes may have changed all the same: something was erased, here or by others. */
export function outlineAfterErasure({ tables }: FlatOutline): FlatOutline {
  const omitted: TableOutline = { ...tables.omitted, haveOtherValues: true };
  return { rows: byName(rowNames, () => ({ count: 0, last: undefined, erased: [] })), tables: { ...tables, omitted } };
}

const tableOutline = (name: TableName, table: Table): TableOutline =>
  keysAlone.has(name) ? { keys: keysOf(table) } : { table };

/** In the order of the table. */
export const keysOf = (table: Table): Runs => table.runs ?? runsOf(table.keys());
