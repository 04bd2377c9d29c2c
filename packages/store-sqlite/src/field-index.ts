import type { IndexEntry } from "@cm/object-model";
import type { Connection } from "./connection.ts";
import { storeLimits } from "./limits.ts";
import { toOrderedText } from "./ordered-text.ts";

/** The key of all objects of a type. */
const everyObject = "";

const selectKey = "SELECT key_id FROM field_key WHERE kind_id = ? AND text = ?";
const selectKeyOfType = `SELECT key_id FROM field_key
  WHERE kind_id = (SELECT kind_id FROM kind WHERE type = ?) AND text = ?`;
const insertKey = "INSERT INTO field_key(kind_id, text) VALUES (?, ?)";
const insertField = "INSERT INTO field(oid, vid, key_id, newest) VALUES (?, ?, ?, ?)";
const selectKind = "SELECT kind_id FROM object WHERE oid = ?";
/** Times never run backwards, so what does not hold now and is not planned never holds again. */
const selectPast = `SELECT f.vid, f.key_id FROM field f JOIN version v ON v.vid = f.vid
  WHERE f.oid = :oid AND v.valid_from <= :now
    AND f.vid <> (SELECT vid FROM version WHERE oid = :oid AND valid_from <= :now ORDER BY valid_from DESC, tx_id DESC LIMIT 1)`;
const deleteField = "DELETE FROM field WHERE oid = :oid AND vid = :vid AND key_id = :key";
const deleteOfVersion = "DELETE FROM field WHERE oid = :oid AND vid = :vid";
const deleteKey = "DELETE FROM field_key WHERE key_id = :key AND NOT EXISTS (SELECT 1 FROM field WHERE key_id = :key)";
const deleteKeys = "DELETE FROM field_key WHERE NOT EXISTS (SELECT 1 FROM field WHERE field.key_id = field_key.key_id)";
const countRows = "SELECT count(*) AS rows FROM (SELECT 1 FROM field WHERE key_id = ? LIMIT ?)";

interface IndexedVersion {
  readonly oid: number;
  readonly vid: number;
  readonly entry: IndexEntry;
  /** The time of the transaction that writes it. */
  readonly nowMs: number;
}

/** Adds a version that was just written, and takes those out that never hold again. */
export function indexFields(connection: Connection, { oid, vid, entry, nowMs }: IndexedVersion): void {
  const kind = connection.get<{ kind_id: number }>(selectKind, oid)?.kind_id ?? 0;
  for (const text of [everyObject, ...entry.keys]) {
    connection.run(insertField, oid, vid, keyNamed(connection, kind, text), entry.newest);
  }
  const past = connection.select<{ vid: number; key_id: number }>(selectPast, { oid, now: nowMs });
  for (const row of past) connection.change(deleteField, { oid, vid: row.vid, key: row.key_id });
  for (const key of new Set(past.map(({ key_id }) => key_id))) connection.change(deleteKey, { key });
}

/** Takes erased versions out, and every key that no version has: keys say what was in the fields. */
export function forgetFields(
  connection: Connection,
  versions: readonly { readonly oid: number; readonly vid: number }[],
): void {
  for (const { oid, vid } of versions) connection.change(deleteOfVersion, { oid, vid });
  connection.run(deleteKeys);
}

/** The keys of a question in this file, the rarest first; undefined where one of them is nowhere. */
export function fieldKeys(
  connection: Connection,
  type: string,
  texts: readonly string[],
): readonly [number, ...number[]] | undefined {
  const keys: { readonly key: number; readonly rows: number }[] = [];
  for (const text of texts.length === 0 ? [everyObject] : texts) {
    const key = connection.get<{ key_id: number }>(selectKeyOfType, toOrderedText(type), toOrderedText(text))?.key_id;
    if (key === undefined) return undefined;
    const rows = connection.get<{ rows: number }>(countRows, key, storeLimits.fieldRowsCountedMax)?.rows ?? 0;
    keys.push({ key, rows });
  }
  const [first, ...others] = keys.sort((a, b) => a.rows - b.rows).map(({ key }) => key);
  return first === undefined ? undefined : [first, ...others];
}

function keyNamed(connection: Connection, kind: number, text: string): number {
  const ordered = toOrderedText(text);
  return (
    connection.get<{ key_id: number }>(selectKey, kind, ordered)?.key_id ?? connection.run(insertKey, kind, ordered)
  );
}
