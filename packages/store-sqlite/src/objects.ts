import { fromOrderedText, toOrderedText } from "@cm/object-model/stored-form";
import type { Connection } from "./connection.ts";

/** Kinds are a handful: one seek into the index for each finds an id, whatever its type. */
export const oidById = `SELECT object.oid FROM kind CROSS JOIN object
  ON object.kind_id = kind.kind_id AND object.id = ?`;

/** The same for an id in a column, where most ids are those of files. */
export const oidOfLikelyFile = (id: string): string =>
  `coalesce((SELECT oid FROM object WHERE kind_id = (SELECT kind_id FROM kind WHERE type = 'file') AND id = ${id}),
    (SELECT object.oid FROM kind CROSS JOIN object ON object.kind_id = kind.kind_id AND object.id = ${id}))`;

const selectObject = `SELECT object.oid, whole(kind.type) AS type FROM kind CROSS JOIN object
  ON object.kind_id = kind.kind_id AND object.id = ?`;
const selectId = "SELECT whole(id) AS id FROM object WHERE oid = ?";
const selectKind = "SELECT kind_id FROM kind WHERE type = ?";
const insertKind = "INSERT INTO kind(type) VALUES (?)";
const insertObject = "INSERT INTO object(kind_id, id) VALUES (?, ?)";

export type StoredObject = { oid: number; type: string };

export function objectNamed(connection: Connection, id: string): StoredObject | undefined {
  const object = connection.get<StoredObject>(selectObject, toOrderedText(id));
  return object === undefined ? undefined : { ...object, type: fromOrderedText(object.type) };
}

export function idOf(connection: Connection, oid: number): string {
  return fromOrderedText(connection.get<{ id: string }>(selectId, oid)?.id ?? "");
}

/** @returns the new object's oid */
export function addObject(
  connection: Connection,
  { id, type }: { readonly id: string; readonly type: string },
  kinds: Map<string, number>,
): number {
  const kind = kinds.get(type) ?? kindNamed(connection, type);
  kinds.set(type, kind);
  return connection.run(insertObject, kind, toOrderedText(id));
}

function kindNamed(connection: Connection, type: string): number {
  const name = toOrderedText(type);
  return connection.get<{ kind_id: number }>(selectKind, name)?.kind_id ?? connection.run(insertKind, name);
}
