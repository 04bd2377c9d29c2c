import { DatabaseSync } from "node:sqlite";
import type { Random } from "@cm/testkit";

/** The rows that hold one object, of one version. */
export interface Rows {
  readonly id: string;
  readonly type: string;
  readonly oid: number;
  readonly vid: number;
  readonly bid: number | null;
  readonly session_id: number | null;
  readonly place_id: number | null;
}

export interface Tampering {
  /** Table and column. */
  readonly field: string;
  /** Whether the object has this field. */
  readonly fits: (rows: Rows) => boolean;
  readonly change: (database: DatabaseSync, rows: Rows, random: Random) => void;
}

const always = () => true;
const hasText = ({ bid }: Rows) => bid !== null;
const isSourced = ({ place_id }: Rows) => place_id !== null;
const isOfSession = ({ session_id }: Rows) => session_id !== null;
const isCall = ({ type }: Rows) => type === "toolcall";

/** Sets one column of one row. The text of the statement is this file's own. */
const set =
  (table: string, column: string, key: keyof Rows, value: string): Tampering["change"] =>
  (database, rows) => {
    database.prepare(`UPDATE ${table} SET ${column} = ${value} WHERE ${key} = ?`).run(rows[key]);
  };

/** Flips one bit of a BLOB. */
const flip =
  (table: string, column: string, key: keyof Rows): Tampering["change"] =>
  (database, rows, random) => {
    const found = database.prepare(`SELECT ${column} AS bytes FROM ${table} WHERE ${key} = ?`).get(rows[key])?.bytes;
    if (!(found instanceof Uint8Array)) throw new TypeError(`${table} has no ${column}`);
    const bytes = Buffer.from(found);
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`).run(bytes, rows[key]);
  };

/** Every field that a hash covers, the index columns that must fit to it, and how each may go wrong. */
export const tamperings: readonly Tampering[] = [
  { field: "version.payload, a bit", fits: always, change: flip("version", "payload", "vid") },
  { field: "version.payload, empty", fits: always, change: set("version", "payload", "vid", "x''") },
  { field: "version.enc", fits: always, change: set("version", "enc", "vid", "1 - enc") },
  { field: "version.content_hash", fits: always, change: flip("version", "content_hash", "vid") },
  { field: "version.bid, no text", fits: hasText, change: set("version", "bid", "vid", "NULL") },
  {
    field: "version.bid, another text",
    fits: hasText,
    change: set("version", "bid", "vid", "(SELECT min(bid) FROM blob WHERE bid <> version.bid)"),
  },
  { field: "version.session_id", fits: isOfSession, change: set("version", "session_id", "vid", "NULL") },
  {
    field: "version.session_id, another",
    fits: isOfSession,
    change: set(
      "version",
      "session_id",
      "vid",
      "(SELECT min(session_id) FROM session WHERE session_id <> version.session_id)",
    ),
  },
  { field: "version.tool", fits: isCall, change: set("version", "tool", "vid", "tool || 's'") },
  { field: "version.tool, none", fits: isCall, change: set("version", "tool", "vid", "NULL") },
  { field: "blob.data, a bit", fits: hasText, change: flip("blob", "data", "bid") },
  { field: "blob.data, cut", fits: hasText, change: set("blob", "data", "bid", "substr(data, 1, length(data) - 1)") },
  { field: "blob.size", fits: hasText, change: set("blob", "size", "bid", "size + 1") },
  { field: "blob.enc", fits: hasText, change: set("blob", "enc", "bid", "1 - enc") },
  { field: "object.id", fits: isSourced, change: set("object", "id", "oid", "substr(id, 2) || substr(id, 1, 1)") },
  {
    field: "object.kind_id",
    fits: always,
    change: set("object", "kind_id", "oid", "(SELECT min(kind_id) FROM kind WHERE kind_id <> object.kind_id)"),
  },
  { field: "source.path", fits: isSourced, change: set("source", "path", "oid", "path || 'x'") },
  { field: "source.binding", fits: isSourced, change: set("source", "binding", "oid", "'null'") },
  { field: "place.namespace", fits: isSourced, change: set("place", "namespace", "place_id", "namespace || 'x'") },
  { field: "place.type", fits: isSourced, change: set("place", "type", "place_id", "type || 'x'") },
  { field: "session.name", fits: isOfSession, change: set("session", "name", "session_id", "name || 'x'") },
];

/** Opens the file under the store, without what guards it. */
export function openUnguarded(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false, defensive: false });
  database.exec("PRAGMA ignore_check_constraints = ON");
  for (const { name } of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
    database.exec(`DROP TRIGGER ${name}`);
  }
  return database;
}

export function rowsOf(database: DatabaseSync): readonly Rows[] {
  const rows = database
    .prepare(
      `SELECT o.id, k.type, v.oid, v.vid, v.bid, v.session_id, s.place_id FROM version v
       JOIN object o USING (oid) JOIN kind k USING (kind_id) LEFT JOIN source s USING (oid) ORDER BY v.vid`,
    )
    .all();
  return rows.map((row) => ({
    id: `${row.id}`,
    type: `${row.type}`,
    oid: Number(row.oid),
    vid: Number(row.vid),
    bid: row.bid === null ? null : Number(row.bid),
    session_id: row.session_id === null ? null : Number(row.session_id),
    place_id: row.place_id === null ? null : Number(row.place_id),
  }));
}
