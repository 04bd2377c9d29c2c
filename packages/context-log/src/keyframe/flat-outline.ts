import type { JsonValue } from "@cm/object-model";
import {
  byName,
  type FlatState,
  type RowName,
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
  readonly rows: Readonly<Record<RowName, { readonly count: number; readonly last: JsonValue | undefined }>>;
  readonly tables: Readonly<Record<TableName, TableOutline>>;
}

/** Keys in their order, or the whole table where values change. */
type TableOutline = { readonly keys: Runs } | { readonly table: Table };

/** Members have no value, or one that never changes: what is said of an entry that left the prompt. */
const keysAlone: ReadonlySet<TableName> = new Set([...setTables, "idle", "dropped", "omitted"]);

export function outlineOf({ rows, tables }: Pick<FlatState, "rows" | "tables">): FlatOutline {
  return {
    rows: byName(rowNames, (name) => ({ count: rows[name].length, last: rows[name].at(-1) })),
    tables: byName(tableNames, (name) => tableOutline(name, tables[name])),
  };
}

const tableOutline = (name: TableName, table: Table): TableOutline =>
  keysAlone.has(name) ? { keys: keysOf(table) } : { table };

/** In the order of the table. */
export const keysOf = (table: Table): Runs => table.runs ?? runsOf(table.keys());
