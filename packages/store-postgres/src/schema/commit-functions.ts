import { holding } from "./moments.ts";
import { planned } from "./planner.ts";

/**
 * Takes the namespace's lock, which is held until the transaction ends. Under other isolation levels a statement would not see
 * what was committed while it waited.
 */
export const lockStatements = (key: bigint): string => `
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'isolation' USING ERRCODE = 'CM002';
  END IF;
  PERFORM set_config('lock_timeout', p_lock_ms::text, true), pg_advisory_xact_lock(${key});`;

/**
 * A commit, as one statement. It answers in lines: what became of it, the transaction and its time, and of each write the version,
 * or of a refused commit each object's type and newest token as JSON. Every write is one place in the arrays; of \`p_bytes\` it has, from \`at\` on: the content hash
 * (32 bytes), the payload, and where it has content the text's hash (32 bytes) and data.
 */
export const commitFunction = (schema: string, key: bigint, hint: string): string => `
CREATE OR REPLACE FUNCTION commit_1(p_lock_ms int, p_request uuid, p_fingerprint uuid, p_valid bigint, p_now bigint,
  p_ids text[], p_types text[], p_expects text[], p_sessions text[], p_tools text[], p_marks uuid[],
  p_places uuid[], p_place_types text[], p_namespaces text[], p_paths text[], p_bindings text[],
  p_at int[], p_payload_encs smallint[], p_payload_lens int[], p_sizes int[], p_encs smallint[], p_lens int[], p_bytes bytea,
  p_field_writes int[], p_field_keys uuid[], p_field_newest bigint[])
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp ${planned} AS $$
DECLARE
  status text; tx bigint; time_ms bigint; results text; last_tx bigint; last_ms bigint; v_valid bigint; v_tx bigint; v_plain bigint; v_fingerprint uuid; is_refused boolean;
  has_object boolean; has_kind boolean; has_session boolean; has_place boolean; has_change boolean;
  oids bigint[]; newest int[]; kinds int[]; sessions int[]; places int[]; bids bigint[]; same boolean[]; changed boolean[];
BEGIN${lockStatements(key)}
  IF p_request IS NOT NULL THEN
    SELECT t.fingerprint, t.tx_id, t.ms, t.results INTO v_fingerprint, tx, time_ms, results
      FROM tx t WHERE t.request = p_request;
    IF FOUND THEN
      status := CASE WHEN v_fingerprint = p_fingerprint THEN 'repeated' ELSE 'reused' END;
      IF results IS NULL THEN
        SELECT string_agg(CASE WHEN l.tx_id < tx THEN '-' ELSE '' END || o.oid || '.' || l.n, ' ' ORDER BY w.i) INTO results
          FROM unnest(p_ids) WITH ORDINALITY w(id, i) JOIN object o ON o.id = w.id
          JOIN LATERAL (SELECT v.tx_id, v.n FROM any_version v WHERE v.oid = o.oid AND v.tx_id <= tx
            ORDER BY v.tx_id DESC LIMIT 1) l ON true;
      END IF;
      RETURN concat_ws(E'\\n', status, tx, time_ms, results);
    END IF;
  END IF;

  SELECT t.tx_id, t.ms INTO last_tx, last_ms FROM tx t ORDER BY t.tx_id DESC LIMIT 1;
  tx := coalesce(last_tx, 0) + 1;
  time_ms := greatest(coalesce(p_now, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), coalesce(last_ms, 0));
  v_valid := coalesce(p_valid, time_ms);
  v_tx := coalesce(last_tx, 0);
  v_plain := CASE WHEN v_valid >= time_ms THEN v_tx ELSE last_until_2(v_valid, v_tx) END;

  SELECT array_agg(q.oid), array_agg(q.n), array_agg(q.kind_id), array_agg(q.session_id), array_agg(q.place_id),
      array_agg(q.bid), array_agg(q.same), array_agg(q.changed), bool_or(q.old_kind <> coalesce(q.kind_id, 0) OR q.expect <> q.token),
      bool_or(q.oid IS NULL), bool_or(q.kind_id IS NULL AND NOT q.same),
      bool_or(q.session_id IS NULL AND q.session IS NOT NULL AND NOT q.same),
      bool_or(q.place_id IS NULL AND q.place IS NOT NULL AND NOT q.same), bool_or(q.changed AND NOT q.same)
    INTO oids, newest, kinds, sessions, places, bids, same, changed, is_refused,
      has_object, has_kind, has_session, has_place, has_change
    FROM (SELECT w.expect, w.session, w.place, o.oid, o.kind_id AS old_kind, coalesce(l.n, 0) AS n,
        coalesce('v' || o.oid || '.' || l.n, 'absent') AS token, k.kind_id, s.session_id, p.place_id, b.bid,
        coalesce(h.erased IS NULL AND h.mark IS NOT DISTINCT FROM w.mark
          AND h.content_hash = substring(p_bytes FROM w.at FOR 32), false) AS same,
        o.oid IS NOT NULL AND (w.session IS NOT NULL AND (o.session_id IS NULL OR o.session_id IS DISTINCT FROM s.session_id)
          OR o.place_id IS NULL AND w.place IS NOT NULL) AS changed
      FROM unnest(p_ids, p_types, p_expects, p_sessions, p_places, p_marks, p_at, p_payload_lens, p_sizes) WITH ORDINALITY
        AS w(id, type, expect, session, place, mark, at, payload_len, size, i)
      LEFT JOIN object o ON o.id = w.id
      LEFT JOIN LATERAL (SELECT v.n FROM any_version v WHERE v.oid = o.oid ORDER BY v.tx_id DESC LIMIT 1) l ON true
      LEFT JOIN LATERAL (${holding}) h ON true
      LEFT JOIN kind k ON k.type = w.type
      LEFT JOIN session s ON s.name = w.session
      LEFT JOIN place p ON p.hash = w.place
      LEFT JOIN blob b ON w.size IS NOT NULL AND b.hash = substring(p_bytes FROM w.at + 32 + w.payload_len FOR 32)
      ORDER BY w.i) q;
  IF is_refused THEN
    SELECT json_agg(json_build_array(k.type, CASE WHEN u.n = 0 THEN 'absent' ELSE 'v' || u.oid || '.' || u.n END) ORDER BY u.i)
      INTO results FROM unnest(oids, newest) WITH ORDINALITY u(oid, n, i)
      LEFT JOIN object o ON o.oid = u.oid LEFT JOIN kind k ON k.kind_id = o.kind_id;
    RETURN concat_ws(E'\\n', 'refused', 0, 0, results);
  END IF;

  IF has_kind THEN
    INSERT INTO kind(type) SELECT DISTINCT type FROM unnest(p_types) type ON CONFLICT DO NOTHING;
    SELECT array_agg(k.kind_id ORDER BY w.i) INTO kinds
      FROM unnest(p_types) WITH ORDINALITY w(type, i) LEFT JOIN kind k ON k.type = w.type;
  END IF;
  IF has_session THEN
    INSERT INTO session(name) SELECT DISTINCT u.session FROM unnest(sessions, p_sessions, same) u(known, session, same)
      WHERE known IS NULL AND u.session IS NOT NULL AND NOT u.same;
    SELECT array_agg(s.session_id ORDER BY w.i) INTO sessions
      FROM unnest(p_sessions) WITH ORDINALITY w(name, i) LEFT JOIN session s ON s.name = w.name;
  END IF;
  IF has_place THEN
    INSERT INTO place(hash, type, namespace)
      SELECT DISTINCT u.place, u.type, u.namespace
      FROM unnest(places, p_places, p_place_types, p_namespaces, same) u(known, place, type, namespace, same)
      WHERE known IS NULL AND u.place IS NOT NULL AND NOT u.same;
    SELECT array_agg(p.place_id ORDER BY w.i) INTO places
      FROM unnest(p_places) WITH ORDINALITY w(hash, i) LEFT JOIN place p ON p.hash = w.hash;
  END IF;

  INSERT INTO blob(size, enc, hash, data)
    SELECT DISTINCT ON (hash) w.size, w.enc, substring(p_bytes FROM w.at FOR 32) AS hash,
      substring(p_bytes FROM w.at + 32 FOR w.len)
    FROM (SELECT u.size, u.enc, u.len, u.at + 32 + u.payload_len AS at
      FROM unnest(bids, same, p_at, p_payload_lens, p_sizes, p_encs, p_lens) u(bid, same, at, payload_len, size, enc, len)
      WHERE u.bid IS NULL AND u.size IS NOT NULL AND NOT u.same OFFSET 0) w;

  IF has_object THEN
    INSERT INTO object(kind_id, session_id, place_id, id, path, binding)
      SELECT u.kind, u.session, u.place, u.id, u.path, u.binding
      FROM unnest(oids, kinds, sessions, places, p_ids, p_paths, p_bindings) WITH ORDINALITY
        AS u(oid, kind, session, place, id, path, binding, i) WHERE u.oid IS NULL ORDER BY u.i;
    SELECT array_agg(coalesce(w.oid, o.oid) ORDER BY w.i) INTO oids
      FROM unnest(oids, p_ids) WITH ORDINALITY w(oid, id, i) LEFT JOIN object o ON w.oid IS NULL AND o.id = w.id;
  END IF;
  IF has_change THEN
    UPDATE object o SET session_id = coalesce(o.session_id, u.session),
        place_id = coalesce(o.place_id, u.place), path = coalesce(o.path, u.path), binding = coalesce(o.binding, u.binding)
      FROM unnest(oids, sessions, places, p_paths, p_bindings, same, changed)
        AS u(oid, session, place, path, binding, same, changed)
      WHERE o.oid = u.oid AND u.changed AND NOT u.same
        AND (o.session_id IS NULL AND u.session IS NOT NULL OR o.place_id IS NULL AND u.place IS NOT NULL);
    INSERT INTO member(session_id, oid)
      SELECT u.session, u.oid FROM unnest(oids, sessions, same, changed) u(oid, session, same, changed)
      JOIN object o ON o.oid = u.oid WHERE u.changed AND NOT u.same AND o.session_id <> u.session
      ON CONFLICT DO NOTHING;
  END IF;

  -- Before the versions, whose times are those of their transactions.
  INSERT INTO tx(tx_id, ms, request, fingerprint)
    VALUES (tx, time_ms, p_request, CASE WHEN p_request IS NOT NULL THEN p_fingerprint END);
  INSERT INTO version(oid, tx_id, valid_from, bid, n, session_id, enc, mark, content_hash, tool, payload)
    SELECT u.oid, tx, nullif(v_valid, time_ms),
      CASE WHEN u.size IS NOT NULL THEN coalesce(u.bid,
        (SELECT b.bid FROM blob b WHERE b.hash = substring(p_bytes FROM u.at + 32 + u.payload_len FOR 32))) END,
      u.newest + 1, u.session, u.payload_enc, u.mark, substring(p_bytes FROM u.at FOR 32), u.tool,
      substring(p_bytes FROM u.at + 32 FOR u.payload_len)
    FROM unnest(oids, newest, sessions, bids, same, p_marks, p_tools, p_at, p_payload_encs, p_payload_lens, p_sizes)
      AS u(oid, newest, session, bid, same, mark, tool, at, payload_enc, payload_len, size)
    WHERE NOT u.same;

  IF cardinality(p_field_keys) > 0 THEN
    INSERT INTO field(key, newest, oid, n, id)
      SELECT f.key, f.made, oids[f.i], newest[f.i] + 1, p_ids[f.i]
      FROM unnest(p_field_writes, p_field_keys, p_field_newest) f(i, key, made) WHERE NOT same[f.i];
    -- Times never run backwards, so what does not hold now and is not planned never holds again.
    v_tx := tx;
    v_plain := tx;
    v_valid := time_ms;
    DELETE FROM field f USING (SELECT DISTINCT oids[w.i] AS oid FROM unnest(p_field_writes) w(i)) o, LATERAL (${holding}) h
      WHERE f.oid = o.oid AND f.n <> h.n AND NOT EXISTS (SELECT 1 FROM version v
        WHERE v.oid = f.oid AND v.valid_from IS NOT NULL AND v.valid_from > time_ms AND v.n = f.n);
  END IF;
${hint}
  SELECT coalesce(string_agg(CASE WHEN u.same THEN '-' || u.oid || '.' || u.newest
      ELSE u.oid || '.' || (u.newest + 1) END, ' ' ORDER BY u.i), '') INTO results
    FROM unnest(oids, newest, same) WITH ORDINALITY u(oid, newest, same, i);
  RETURN concat_ws(E'\\n', 'written', tx, time_ms, results);
END $$;
`;
