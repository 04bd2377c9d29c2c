import type { Filter, Page } from "@cm/object-model";
import type { Connection } from "./connection.ts";
import type { Moment } from "./moment.ts";
import { endOfPrefix, toOrderedText } from "./ordered-text.ts";
import { type StampRow, stampColumns, stampJoins } from "./version-rows.ts";

const holding = `v.vid = (SELECT vid FROM version WHERE oid = c.oid AND valid_from <= :validTime AND tx_id <= :txId
    ORDER BY valid_from DESC, tx_id DESC LIMIT 1)`;

/** What no index answers: it is looked at row by row. A condition that was not given is NULL. */
const rest = `v.erased IS NULL AND o.id > :cursor
  AND (:type IS NULL OR k.type = :type)
  AND (:session IS NULL OR v.session_id = (SELECT session_id FROM session WHERE name = :session))
  AND (:tool IS NULL OR v.tool = :tool)
  AND (:sourceType IS NULL OR EXISTS (SELECT 1 FROM source s JOIN place p ON p.place_id = s.place_id
    WHERE s.oid = o.oid AND p.type = :sourceType AND (:namespace IS NULL OR p.namespace = :namespace)
    AND s.path >= :pathFrom AND s.path < :pathTo))
  AND (:path IS NULL OR EXISTS (SELECT 1 FROM source s WHERE s.oid = o.oid AND instr(s.path, :path) > 0))`;

const bySession = `SELECT ${stampColumns}
  FROM member c CROSS JOIN version v ON ${holding} ${stampJoins}
  WHERE c.session_id = (SELECT session_id FROM session WHERE name = :session) AND ${rest} ORDER BY o.id LIMIT :rows`;

const bySource = `SELECT ${stampColumns}
  FROM place cp CROSS JOIN source c ON c.place_id = cp.place_id CROSS JOIN version v ON ${holding} ${stampJoins}
  WHERE cp.type = :sourceType AND (:namespace IS NULL OR cp.namespace = :namespace)
  AND c.path >= :pathFrom AND c.path < :pathTo AND ${rest} ORDER BY o.id LIMIT :rows`;

const byType = `SELECT ${stampColumns}
  FROM object c CROSS JOIN version v ON ${holding} ${stampJoins}
  WHERE c.kind_id = (SELECT kind_id FROM kind WHERE type = :type) AND c.id > :cursor AND ${rest} ORDER BY c.id LIMIT :rows`;

/** One row more than the page holds, by id, to know whether more follow. */
export function findRows(
  connection: Connection,
  filter: Filter,
  { moment, page }: { moment: Moment; page: Page & { readonly limit: number } },
): StampRow[] {
  const { type, session, source, tool, path } = filter;
  const pathFrom = ordered(source?.pathPrefix) ?? "";
  return connection.select<StampRow>(statementFor(filter), {
    ":type": ordered(type) ?? null,
    ":session": ordered(session) ?? null,
    ":tool": ordered(tool) ?? null,
    ":sourceType": ordered(source?.type) ?? null,
    ":namespace": ordered(source?.namespace) ?? null,
    ":pathFrom": pathFrom,
    ":pathTo": endOfPrefix(pathFrom),
    ":path": ordered(path) ?? null,
    ":cursor": ordered(page.cursor) ?? "",
    ":validTime": moment.validTimeMs,
    ":txId": moment.txId,
    ":rows": page.limit + 1,
  });
}

/** A session is the smallest set to start from, then a place, then a type. */
function statementFor({ session, source }: Filter): string {
  if (session !== undefined) return bySession;
  return source === undefined ? byType : bySource;
}

const ordered = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : toOrderedText(text);
