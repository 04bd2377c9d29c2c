import { isInfrastructureId, isSha256, sessionOfReference } from "@cm/object-model";
import { fromOrderedText, toOrderedText } from "@cm/object-model/stored-form";
import type { Connection } from "./connection.ts";
import type { Row } from "./whole-text.ts";

/**
 * Small tables lie in a page or two, and all else refers to them. What a lost row of theirs said stands elsewhere as well: the
 * type of an object in its id, the time of a transaction in its versions, which hold from then on unless a commit said otherwise.
 * @returns whether a row that this one refers to was put back
 */
export function putLostBack(fresh: Connection, table: string, row: Row): boolean {
  if (table === "object") return putKindBack(fresh, row);
  return (table === "version" || table === "erasure") && putTransactionBack(fresh, row);
}

function putKindBack(fresh: Connection, { kind_id, id }: Row): boolean {
  if (typeof kind_id !== "number" || typeof id !== "string") return false;
  return (
    fresh.insert("INSERT OR IGNORE INTO kind(kind_id, type) VALUES (?, ?)", kind_id, toOrderedText(typeOf(id))) !==
    undefined
  );
}

function typeOf(ordered: string): string {
  const id = fromOrderedText(ordered);
  if (isInfrastructureId(id)) return id.slice(0, id.indexOf(":"));
  return isSha256(id) ? "file" : "toolcall";
}

/** Between the times of those around it, since times never run backwards. */
const insertTransaction = `INSERT OR IGNORE INTO tx(tx_id, time)
  SELECT :tx, min(max(:time, coalesce((SELECT max(time) FROM tx WHERE tx_id < :tx), 0)),
    coalesce((SELECT min(time) FROM tx WHERE tx_id > :tx), 8640000000000000)) WHERE :tx > 0`;

function putTransactionBack(fresh: Connection, { tx_id: tx, valid_from: time = 0 }: Row): boolean {
  if (typeof tx !== "number" || typeof time !== "number") return false;
  const before = fresh.get("SELECT 1 FROM tx WHERE tx_id = ?", tx);
  fresh.change(insertTransaction, { ":tx": tx, ":time": time });
  return before === undefined;
}

/** Objects of which a session has one each, by whose ids it is named. */
const named = `SELECT v.session_id, whole(o.id) AS id FROM version v JOIN object o USING (oid)
  WHERE v.session_id IS NOT NULL AND (o.id LIKE 'session:%' OR o.id LIKE 'chat:%' OR o.id LIKE 'step:%:0')
  GROUP BY v.session_id, o.id`;

/** Gives sessions the names that their objects have, where a name was lost or is another than all of these say. */
export function nameSessions(fresh: Connection): void {
  const told = Map.groupBy(fresh.all<{ session_id: number; id: string }>(named), ({ session_id }) => session_id);
  fresh.exec(
    "DELETE FROM session WHERE session_id NOT IN (SELECT session_id FROM version WHERE session_id IS NOT NULL)",
  );
  for (const [session, rows] of told) {
    const names = rows.map(({ id }) => sessionOfReference(id).replace(/:0$/, ""));
    const known = fresh.get<{ name: string }>(
      "SELECT whole(name) AS name FROM session WHERE session_id = ?",
      session,
    )?.name;
    if (known === undefined || !names.includes(known))
      fresh.run("INSERT OR REPLACE INTO session(session_id, name) VALUES (?, ?)", session, names[0] ?? "");
  }
}
