import {
  attachmentIdsOf,
  type EraseReceipt,
  isCmError,
  isNamedVersion,
  type NamedVersions,
  type ObjectDocument,
} from "@cm/object-model";
import { documentOf, fromOrderedText } from "@cm/object-model/stored-form";
import { clockOf } from "./commit.ts";
import type { Database, Session } from "./database.ts";
import { fromDatabaseText, toDatabaseText } from "./database-text.ts";
import { basisOf, tokenOf } from "./tokens.ts";
import type { VersionRow } from "./version-rows.ts";

type Named = ReadonlyMap<string, NamedVersions>;

interface Erasure {
  readonly named: Named;
  readonly reason: string;
  readonly now: (() => number) | undefined;
}

/** Types whose documents may name attachments. */
const attaching = new Set(["toolcall", "step"]);

/** Takes what is named and every version with the same text, in one transaction. Doing it twice does no harm. */
export function eraseObjects(database: Database, erasure: Erasure): Promise<EraseReceipt> {
  return database.call((session) => inTransaction(session, () => erase(database, session, erasure)), {
    lost: "repeat",
  });
}

async function inTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.run("BEGIN ISOLATION LEVEL READ COMMITTED");
  const result = await work();
  await session.run("COMMIT");
  return result;
}

async function erase(database: Database, session: Session, { named, reason, now }: Erasure): Promise<EraseReceipt> {
  const { schema, lockMs } = database;
  const begin = `SELECT * FROM ${schema}.erase_begin_1($1, $2)`;
  const rows = await session.rows<VersionRow>(begin, [lockMs, [...named.keys()].map(toDatabaseText)]);
  const isNamed = (row: VersionRow): boolean => isNamedVersion(named.get(fromOrderedText(row.id)), tokenOf(row));
  const lost = rows.filter(isNamed);
  const sql = `SELECT * FROM ${schema}.erase_1($1, $2, $3, $4, $5)`;
  const [answer] = await session.rows<{ tx: number; time_ms: number; touched: string }>(sql, [
    clockOf(now),
    toDatabaseText(reason),
    lost.map(({ oid }) => oid),
    lost.map(({ n }) => n),
    attachedTo(rows, isNamed).map(toDatabaseText),
  ]);
  if (answer === undefined) throw new TypeError("erase_1 gives one row");
  const there = new Set(lost.map(({ id }) => fromOrderedText(id)));
  const touched: readonly string[] = JSON.parse(answer.touched);
  return {
    basis: basisOf(answer.tx),
    at: new Date(answer.time_ms),
    erased: [...there].sort(),
    shared: touched
      .map(fromDatabaseText)
      .filter((id) => !there.has(id))
      .sort(),
    unknown: [...named.keys()].filter((id) => !there.has(id)),
  };
}

/** The references of the erased versions that no remaining version of the same object has. */
function attachedTo(rows: readonly VersionRow[], isNamed: (row: VersionRow) => boolean): string[] {
  const documents = rows.flatMap((row) => {
    if (row.payload === null || !attaching.has(fromOrderedText(row.type))) return [];
    const document = documentUnlessDamaged(row);
    return document === undefined ? [] : [{ oid: row.oid, isLost: isNamed(row), ids: attachmentIdsOf(document) }];
  });
  const staying = new Set(documents.flatMap(({ oid, isLost, ids }) => (isLost ? [] : ids.map((id) => `${oid} ${id}`))));
  return documents.flatMap(({ oid, isLost, ids }) => (isLost ? ids.filter((id) => !staying.has(`${oid} ${id}`)) : []));
}

/** A damaged document names nothing any more, and may be erased like any other. */
function documentUnlessDamaged(row: VersionRow): ObjectDocument | undefined {
  try {
    return documentOf(row);
  } catch (error) {
    if (isCmError(error, "store/corrupt")) return undefined;
    throw error;
  }
}
