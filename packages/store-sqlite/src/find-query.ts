import type { CheckedFind } from "@cm/object-model";
import { endOfPrefix, toOrderedText } from "@cm/object-model/stored-form";
import type { Connection } from "./connection.ts";
import { fieldKeys } from "./field-index.ts";
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
  AND (:path IS NULL OR EXISTS (SELECT 1 FROM source s WHERE s.oid = o.oid AND instr(s.path, :path) > 0))
  AND (:keys IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(:keys) asked WHERE NOT EXISTS (SELECT 1 FROM field
    WHERE oid = v.oid AND vid = v.vid AND key_id = asked.value)))`;

/**
 * The start of the set of rows: fields that were asked for, a session, a place, or a type. The caller limits the number
 * of texts.
 */
const starts = {
  fields: {
    from: `field c CROSS JOIN version v ON v.vid = c.vid AND ${holding}`,
    where: "c.key_id = :key AND c.newest <= :newest AND (c.newest < :newest OR o.id > :newestId)",
  },
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

/** `newest` stands in the rows of searches by fields. */
export type FoundRow = StampRow & { newest?: number };

export interface FindSetting {
  readonly moment: Moment;
  readonly find: CheckedFind;
}

/** The plan of a query, before its rows are read. */
export interface FindPlan {
  readonly start: keyof typeof starts;
  readonly order: CheckedFind["order"];
  /** All parameters of a statement; without a limit, which is `:rows`. */
  readonly values: Record<string, string | number | null>;
}

/** One row more than the page holds, in order, to know whether more follow. */
export function findRows(connection: Connection, setting: FindSetting): FoundRow[] {
  const plan = findPlan(connection, setting);
  if (plan === undefined) return [];
  return connection.select<FoundRow>(findStatement(plan), { ...plan.values, ":rows": setting.find.limit + 1 });
}

/** The rows of a filter, text aside, in order. `condition` narrows them down. */
export function findStatement({ start, order }: Omit<FindPlan, "values">, condition = "true"): string {
  const { from, where } = starts[start];
  const byId = start === "type" ? "c.id" : "o.id";
  return `SELECT ${stampColumns}, v.bid${start === "fields" ? ", c.newest" : ""} FROM ${from} ${stampJoins}
    WHERE ${where} AND ${rest} AND ${condition} ORDER BY ${order === "newest" ? `c.newest DESC, ${byId}` : byId} LIMIT :rows`;
}

/** Undefined where a field was asked for that no object has. */
export function findPlan(connection: Connection, { moment, find }: FindSetting): FindPlan | undefined {
  const { filter, keys, order } = find;
  const values = commonValues(find, moment);
  if (keys.length === 0 && order === "id") {
    const start = filter.session !== undefined ? "session" : filter.source === undefined ? "type" : "source";
    return { start, order, values };
  }
  const known = fieldKeys(connection, filter.type ?? "", keys);
  if (known === undefined) return undefined;
  const after = order === "newest" ? find.after : undefined;
  return {
    start: "fields",
    order,
    values: {
      ...values,
      ":keys": JSON.stringify(known),
      ":key": known[0],
      ":newest": after?.newest ?? Number.MAX_SAFE_INTEGER,
      ":newestId": ordered(after?.id) ?? "",
    },
  };
}

/** The same question, from texts by their bids. */
export function planFromTexts({ order, values }: FindPlan, bids: readonly number[]): FindPlan {
  const { ":key": _key, ":newest": _newest, ":newestId": _id, ...common } = values;
  return { start: "texts", order, values: { ...common, ":bids": JSON.stringify(bids) } };
}

function commonValues({ filter, order, after }: CheckedFind, moment: Moment): FindPlan["values"] {
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
    ":keys": null,
    ":cursor": order === "id" ? (ordered(after?.id) ?? "") : "",
    ":validTime": moment.validTimeMs,
    ":txId": moment.txId,
    ":rows": -1,
  };
}

const ordered = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : toOrderedText(text);
