import type { JsonValue } from "@cm/object-model";
import {
  type FlatState,
  type Key,
  type RowName,
  rowNames,
  setTables,
  type Table,
  type TableName,
  tableNames,
} from "./flat-state.ts";
import { addToRuns, type Run } from "./runs.ts";

/**
 * What of a flat state the next keyframe is compared with. An open session keeps it between two keyframes, so it is
 * small: of rows, which only grow, how many there are and the last one; of tables that have many members, their keys.
 */
export interface FlatOutline {
  readonly rows: Readonly<Record<RowName, { readonly count: number; readonly last: JsonValue | undefined }>>;
  readonly tables: Readonly<Record<TableName, TableOutline>>;
}

/** Keys in their order, or the whole table where values change. */
type TableOutline = { readonly keys: readonly (Run | string)[] } | { readonly table: Table };

/** Members have no value, or one that never changes: what is said of an entry that left the prompt. */
const keysAlone: ReadonlySet<TableName> = new Set([...setTables, "idle", "dropped", "omitted"]);

export function outlineOf({ rows, tables }: Pick<FlatState, "rows" | "tables">): FlatOutline {
  return {
    rows: Object.fromEntries(
      rowNames.map((name) => [name, { count: rows[name].length, last: rows[name].at(-1) }]),
    ) as unknown as FlatOutline["rows"],
    tables: Object.fromEntries(
      tableNames.map((name) => [name, tableOutline(name, tables[name])]),
    ) as unknown as FlatOutline["tables"],
  };
}

function tableOutline(name: TableName, table: Table): TableOutline {
  if (!keysAlone.has(name)) return { table };
  const keys: (Run | string)[] = [];
  for (const key of table.keys()) {
    if (typeof key === "number") addToRuns(keys, key);
    else keys.push(key);
  }
  return { keys };
}

/** The table that an outline was made of, as far as the one that came of it can differ from it. */
export function tableBefore(outline: TableOutline, now: Table): Table {
  if ("table" in outline) return outline.table;
  const table = new Map<Key, JsonValue>();
  for (const one of outline.keys) {
    if (typeof one === "string") table.set(one, now.get(one) ?? 1);
    else for (let key = one[0]; key < one[0] + one[1]; key += 1) table.set(key, now.get(key) ?? 1);
  }
  return table;
}
