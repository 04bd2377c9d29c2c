import { lockStatements } from "./commit-functions.ts";
import { planned } from "./planner.ts";
import { documentJoins, row, stamp, stampJoins } from "./read-functions.ts";
import { forgetBlocks } from "./text-index.ts";

const withoutText = `v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, NULL::int, NULL::smallint,
  NULL::bytea`;

const writing = (schema: string): string =>
  `LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp ${planned}`;

/** Takes the lock, and gives every version of the named objects, with the documents of those that may have attachments. */
const beginFunction = (schema: string, key: bigint): string => `
CREATE OR REPLACE FUNCTION erase_begin_1(p_lock_ms int, p_ids text[]) RETURNS ${row}
${writing(schema)} AS $$
#variable_conflict use_column
BEGIN${lockStatements(key)}
  RETURN QUERY SELECT ${stamp}, ${withoutText} FROM unnest(p_ids) a(id) JOIN object o ON o.id = a.id
    JOIN any_version v ON v.oid = o.oid ${stampJoins} ${documentJoins.replace("b.bid = v.bid", "false")};
END $$;
`;

/** Each named version once. */
const named = `(SELECT u.oid, array_agg(u.n) AS ns FROM unnest(p_oids, p_ns) u(oid, n) GROUP BY u.oid) w
      JOIN any_version v ON v.oid = w.oid AND v.n = ANY(w.ns)`;

/**
 * Takes the named versions, and every version with a text of theirs or of the attached objects, in the transaction that
 * \`erase_begin_1\` began. The empty text is shared by all objects and never secret.
 */
const applyFunction = (schema: string, { textsKey, hint }: EraseParts): string => `
CREATE OR REPLACE FUNCTION erase_1(p_now bigint, p_reason text, p_oids bigint[], p_ns int[], p_attached text[],
  OUT tx bigint, OUT time_ms bigint, OUT touched text)
${writing(schema)} AS $$
DECLARE
  last_tx bigint; last_ms bigint; v_bids bigint[]; v_oids bigint[]; v_sessions int[]; v_places int[]; v_blocks int[];
BEGIN
  SELECT t.tx_id, t.ms INTO last_tx, last_ms FROM tx t ORDER BY t.tx_id DESC LIMIT 1;
  tx := coalesce(last_tx, 0) + 1;
  time_ms := greatest(coalesce(p_now, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), coalesce(last_ms, 0));
  INSERT INTO tx(tx_id, ms) VALUES (tx, time_ms);
  INSERT INTO erasure VALUES (tx, p_reason);

  SELECT array_agg(DISTINCT b.bid) INTO v_bids FROM (
      SELECT v.bid FROM ${named}
      UNION SELECT v.bid FROM unnest(p_attached) a(id) JOIN object o ON o.id = a.id JOIN any_version v ON v.oid = o.oid) w
    JOIN blob b ON b.bid = w.bid WHERE b.size > 0;

  PERFORM set_config('cm.erasing', 'yes', true);
  WITH lost AS (
      SELECT v.at, v.session_id FROM ${named} WHERE v.erased IS NULL
      UNION SELECT v.ctid, v.session_id FROM unnest(v_bids) u(bid) JOIN version v ON v.bid = u.bid),
    taken AS (UPDATE version v SET erased = tx, enc = 0, payload = NULL, bid = NULL, session_id = NULL, tool = NULL,
      mark = NULL FROM lost WHERE v.ctid = lost.at RETURNING v.oid, lost.session_id)
    SELECT array_agg(DISTINCT oid), array_agg(DISTINCT session_id) INTO v_oids, v_sessions FROM taken;
  DELETE FROM blob WHERE bid = ANY(v_bids);${forgetBlocks(textsKey)}
  DELETE FROM field f USING any_version v WHERE f.oid = ANY(v_oids) AND v.oid = f.oid AND v.n = f.n AND v.erased IS NOT NULL;

  -- Bindings and sessions that only erased versions spoke of. Ids stay, as part of the stamps.
  WITH bare AS (SELECT o.oid, o.place_id FROM unnest(v_oids) u(oid) JOIN object o ON o.oid = u.oid
      WHERE o.place_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM any_version v WHERE v.oid = o.oid AND v.erased IS NULL)),
    freed AS (UPDATE object o SET place_id = NULL, path = NULL, binding = NULL FROM bare WHERE o.oid = bare.oid
      RETURNING bare.place_id)
    SELECT array_agg(DISTINCT place_id) INTO v_places FROM freed;
  DELETE FROM place p WHERE p.place_id = ANY(v_places) AND NOT EXISTS (SELECT 1 FROM object o WHERE o.place_id = p.place_id);
  UPDATE object o SET session_id = NULL WHERE o.oid = ANY(v_oids) AND o.session_id = ANY(v_sessions)
    AND NOT EXISTS (SELECT 1 FROM any_version v WHERE v.oid = o.oid AND v.session_id = o.session_id);
  DELETE FROM member m WHERE m.oid = ANY(v_oids) AND m.session_id = ANY(v_sessions)
    AND NOT EXISTS (SELECT 1 FROM any_version v WHERE v.oid = m.oid AND v.session_id = m.session_id);
  DELETE FROM session s WHERE s.session_id = ANY(v_sessions)
    AND NOT EXISTS (SELECT 1 FROM object o WHERE o.session_id = s.session_id)
    AND NOT EXISTS (SELECT 1 FROM member m WHERE m.session_id = s.session_id);
  PERFORM set_config('cm.erasing', 'no', true);${hint}

  SELECT coalesce(json_agg(o.id), '[]'::json) INTO touched FROM object o WHERE o.oid = ANY(v_oids);
END $$;
`;

/** The locks of commits and of texts, and what tells those who wait. */
interface EraseParts {
  readonly key: bigint;
  readonly textsKey: bigint;
  readonly hint: string;
}

export const eraseFunctions = (schema: string, parts: EraseParts): string =>
  beginFunction(schema, parts.key) + applyFunction(schema, parts);
