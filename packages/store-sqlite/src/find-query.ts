import type { Filter, Page } from "@cm/object-model";
import { endOfPrefix, toOrderedText } from "@cm/object-model/stored-form";
import type { Connection } from "./connection.ts";
import type { Moment } from "./moment.ts";
import { type StampRow, stampColumns, stampJoins } from "./version-rows.ts";

const holding = `v.vid = (SELECT vid FROM version WHERE oid = c.oid AND valid_from <= :validTime AND tx_id <= :txId
    ORDER BY valid_from DESC, tx_id DESC LIMIT 1)`;

/** Conditions without an index, checked row by row. An absent condition is NULL. */
const rest = `v.erased IS NULL AND o.id > :cursor
  AND (:type IS NULL OR k.type = :type)
  AND (:session IS NULL OR v.session_id = (SELECT session_id FROM session WHERE name = :session))
  AND (:tool IS NULL OR v.tool = :tool)
  AND (:sourceType IS NULL OR EXISTS (SELECT 1 FROM source s JOIN place p ON p.place_id = s.place_id
    WHERE s.oid = o.oid AND p.type = :sourceType AND (:namespace IS NULL OR p.namespace = :namespace)
    AND s.path >= :pathFrom AND s.path < :pathTo))
  AND (:path IS NULL OR EXISTS (SELECT 1 FROM source s WHERE s.oid = o.oid AND instr(s.path, :path) > 0))`;

/**
 * The start of the set of rows: a session is the smallest, then a place, then a type. The caller limits the number of
 * texts.
 */
const starts = {
  session: {
    from: `member c CROSS JOIN version v ON ${holding}`,
    where: "c.session_id = (SELECT session_id FROM session WHERE name = :session)",
  },
  source: {
    from: `place cp CROSS JOIN source c ON c.place_id = cp.place_id CROSS JOIN version v ON ${holding}`,
    where: `cp.type = :sourceType AND (:namespace IS NULL OR cp.namespace = :namespace)
      AND c.path >= :pathFrom AND c.path < :pathTo`,
  },
  type: {
    from: `object c CROSS JOIN version v ON ${holding}`,
    where: "c.kind_id = (SELECT kind_id FROM kind WHERE type = :type) AND c.id > :cursor",
  },
  texts: {
    from: `json_each(:bids) t CROSS JOIN version c ON c.bid = t.value CROSS JOIN version v ON v.vid = c.vid AND ${holding}`,
    where: "true",
  },
} as const;

export interface FindSetting {
  readonly moment: Moment;
  readonly page: Page & { readonly limit: number };
}

/** One row more than the page holds, by id, to know whether more follow. */
export function findRows(connection: Connection, filter: Filter, setting: FindSetting): StampRow[] {
  return connection.select<StampRow>(findStatement(startOf(filter)), {
    ...findValues(filter, setting),
    ":rows": setting.page.limit + 1,
  });
}

/** The rows of a filter, text aside, by id. `condition` narrows them down. */
export function findStatement(start: keyof typeof starts, condition = "true"): string {
  const { from, where } = starts[start];
  const order = start === "type" ? "c.id" : "o.id";
  return `SELECT ${stampColumns}, v.bid FROM ${from} ${stampJoins}
    WHERE ${where} AND ${rest} AND ${condition} ORDER BY ${order} LIMIT :rows`;
}

export function startOf({ session, source }: Filter): "session" | "source" | "type" {
  if (session !== undefined) return "session";
  return source === undefined ? "type" : "source";
}

/** All parameters of a statement; without a limit, which is `:rows`. */
export function findValues(filter: Filter, { moment, page }: FindSetting): Record<string, string | number | null> {
  const { type, session, source, tool, path } = filter;
  const pathFrom = ordered(source?.pathPrefix) ?? "";
  return {
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
    ":rows": -1,
  };
}

const ordered = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : toOrderedText(text);
