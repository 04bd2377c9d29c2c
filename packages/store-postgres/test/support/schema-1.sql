
-- A committed transaction. Ids are dense from 1, and ids and times are taken under the namespace's lock: whoever sees an id
-- sees all before it, and times never run backwards. Of a commit with a request id its receipt is there: of each write the
-- version that it made, or the newest one with a minus sign.
CREATE TABLE tx(tx_id bigint PRIMARY KEY CHECK(tx_id > 0), ms bigint NOT NULL, request uuid, fingerprint uuid, results text);
CREATE UNIQUE INDEX tx_by_request ON tx(request) WHERE request IS NOT NULL;

CREATE TABLE kind(kind_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, type text COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE session(session_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text COLLATE "C" NOT NULL UNIQUE);

-- A namespace of a kind of source; hash is of both names, which may be longer than an index takes.
CREATE TABLE place(place_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, hash uuid NOT NULL UNIQUE,
  type text COLLATE "C" NOT NULL, namespace text COLLATE "C" NOT NULL);

-- The envelope, once per object. An id is unique whatever the kind. Lists of a kind read the index of both in order.
-- session_id is the first session that the object had a version in; further ones stand in member. A filesystem's binding
-- is its place and path, others stand there as JSON.
CREATE TABLE object(oid bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, kind_id int NOT NULL, session_id int, place_id int,
  id text COLLATE "C" NOT NULL, path text COLLATE "C", binding text,
  UNIQUE(kind_id, id), EXCLUDE USING hash (id WITH =), CHECK((place_id IS NULL) = (path IS NULL)));
CREATE INDEX object_by_session ON object(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX object_by_path ON object(place_id, left(path, 500)) WHERE place_id IS NOT NULL;
CREATE TABLE member(session_id int NOT NULL, oid bigint NOT NULL, PRIMARY KEY(session_id, oid));

-- Content once per SHA-256; enc says how data holds it. It is compressed before it comes here.
CREATE TABLE blob(bid bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, size int NOT NULL, enc smallint NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK(octet_length(hash) = 32), data bytea NOT NULL);
ALTER TABLE blob ALTER data SET STORAGE EXTERNAL;

CREATE TABLE erasure(tx_id bigint PRIMARY KEY, reason text NOT NULL);

-- One version of one object, the nth that was written: the key makes create-only and compare-and-set facts. bid is NULL for
-- null content. mark is of the source's own hash, which content_hash does not cover. payload has the other mutable fields;
-- an erased version keeps its stamp and has none.
CREATE TABLE version(oid bigint NOT NULL, tx_id bigint NOT NULL, valid_from bigint NOT NULL, bid bigint, erased bigint,
  n int NOT NULL CHECK(n > 0), session_id int, enc smallint NOT NULL, mark uuid,
  content_hash bytea NOT NULL CHECK(octet_length(content_hash) = 32), tool text COLLATE "C", payload bytea,
  PRIMARY KEY(oid, n), CHECK((payload IS NULL) = (erased IS NOT NULL)));
ALTER TABLE version ALTER payload SET STORAGE EXTERNAL;
-- Read from its end: current, as-of and history in one.
CREATE UNIQUE INDEX version_as_of ON version(oid, valid_from, tx_id);
CREATE INDEX version_by_blob ON version(bid) WHERE bid IS NOT NULL;

-- What a version is found by, where its type declares it: key is of the type and one key of its index entry. Only of versions
-- that hold or will hold. id is the object's, so that a list reads the index of both orders.
CREATE TABLE field(key uuid NOT NULL, newest bigint NOT NULL, oid bigint NOT NULL, n int NOT NULL, id text COLLATE "C" NOT NULL,
  PRIMARY KEY(oid, n, key));
CREATE INDEX field_by_id ON field(key, id);
CREATE INDEX field_by_newest ON field(key, newest DESC, id);

-- What was committed stays, also against SQL by mistake. Erasure is the exception.
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'TRUNCATE' AND current_setting('cm.erasing', true) = 'yes' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'what was committed is append-only';
END $$;
CREATE TRIGGER tx_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON tx EXECUTE FUNCTION keep();
CREATE TRIGGER kind_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON kind EXECUTE FUNCTION keep();
CREATE TRIGGER object_kept BEFORE DELETE OR TRUNCATE ON object EXECUTE FUNCTION keep();
CREATE TRIGGER object_fixed BEFORE UPDATE OF oid, kind_id, id ON object EXECUTE FUNCTION keep();
CREATE TRIGGER blob_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON blob EXECUTE FUNCTION keep();
CREATE TRIGGER version_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON version EXECUTE FUNCTION keep();
CREATE TRIGGER erasure_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON erasure EXECUTE FUNCTION keep();


CREATE FUNCTION commit_1(p_lock_ms int, p_request uuid, p_fingerprint uuid, p_valid bigint, p_now bigint,
  p_ids text[], p_types text[], p_expects text[], p_sessions text[], p_tools text[], p_marks uuid[],
  p_places uuid[], p_place_types text[], p_namespaces text[], p_paths text[], p_bindings text[],
  p_at int[], p_payload_encs smallint[], p_payload_lens int[], p_sizes int[], p_encs smallint[], p_lens int[], p_bytes bytea,
  p_field_writes int[], p_field_keys uuid[], p_field_newest bigint[])
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = "NAMESPACE", pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off
  SET enable_material = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  status text; tx bigint; time_ms bigint; results text; last_tx bigint; last_ms bigint; v_valid bigint; v_fingerprint uuid; is_refused boolean;
  has_object boolean; has_kind boolean; has_session boolean; has_place boolean; has_change boolean;
  oids bigint[]; newest int[]; kinds int[]; sessions int[]; places int[]; bids bigint[]; same boolean[]; changed boolean[];
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'isolation' USING ERRCODE = 'CM002';
  END IF;
  PERFORM set_config('lock_timeout', p_lock_ms::text, true), pg_advisory_xact_lock(COMMIT_LOCK);
  IF p_request IS NOT NULL THEN
    SELECT t.fingerprint, t.tx_id, t.ms, t.results INTO v_fingerprint, tx, time_ms, results
      FROM tx t WHERE t.request = p_request;
    IF FOUND THEN
      status := CASE WHEN v_fingerprint = p_fingerprint THEN 'repeated' ELSE 'reused' END;
      RETURN concat_ws(E'\n', status, tx, time_ms, results);
    END IF;
  END IF;

  SELECT t.tx_id, t.ms INTO last_tx, last_ms FROM tx t ORDER BY t.tx_id DESC LIMIT 1;
  tx := coalesce(last_tx, 0) + 1;
  time_ms := greatest(coalesce(p_now, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), coalesce(last_ms, 0));
  v_valid := coalesce(p_valid, time_ms);

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
      LEFT JOIN LATERAL (SELECT v.n FROM version v WHERE v.oid = o.oid ORDER BY v.n DESC LIMIT 1) l ON true
      LEFT JOIN LATERAL (SELECT v.content_hash, v.mark, v.erased FROM version v
        WHERE v.oid = o.oid AND v.valid_from <= v_valid ORDER BY v.valid_from DESC, v.tx_id DESC LIMIT 1) h ON true
      LEFT JOIN kind k ON k.type = w.type
      LEFT JOIN session s ON s.name = w.session
      LEFT JOIN place p ON p.hash = w.place
      LEFT JOIN blob b ON w.size IS NOT NULL AND b.hash = substring(p_bytes FROM w.at + 32 + w.payload_len FOR 32)
      ORDER BY w.i) q;
  IF is_refused THEN
    SELECT json_agg(json_build_array(k.type, CASE WHEN u.n = 0 THEN 'absent' ELSE 'v' || u.oid || '.' || u.n END) ORDER BY u.i)
      INTO results FROM unnest(oids, newest) WITH ORDINALITY u(oid, n, i)
      LEFT JOIN object o ON o.oid = u.oid LEFT JOIN kind k ON k.kind_id = o.kind_id;
    RETURN concat_ws(E'\n', 'refused', 0, 0, results);
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

  INSERT INTO version(oid, tx_id, valid_from, bid, n, session_id, enc, mark, content_hash, tool, payload)
    SELECT u.oid, tx, v_valid,
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
    DELETE FROM field f USING version v
      WHERE f.oid IN (SELECT oids[w.i] FROM unnest(p_field_writes) w(i)) AND v.oid = f.oid AND v.n = f.n
        AND v.valid_from <= time_ms AND f.n <> (SELECT h.n FROM version h
          WHERE h.oid = f.oid AND h.valid_from <= time_ms ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1);
  END IF;

  SELECT coalesce(string_agg(CASE WHEN u.same THEN '-' || u.oid || '.' || u.newest
      ELSE u.oid || '.' || (u.newest + 1) END, ' ' ORDER BY u.i), '') INTO results
    FROM unnest(oids, newest, same) WITH ORDINALITY u(oid, newest, same, i);
  INSERT INTO tx VALUES (tx, time_ms, p_request, CASE WHEN p_request IS NOT NULL THEN p_fingerprint END,
    CASE WHEN p_request IS NOT NULL THEN results END);
  RETURN concat_ws(E'\n', 'written', tx, time_ms, results);
END $$;


CREATE FUNCTION moment_1(p_basis bigint, p_valid bigint, p_now bigint, OUT tx bigint, OUT valid bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = "NAMESPACE", pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off
  SET enable_material = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off AS $$
DECLARE v_ms bigint;
BEGIN
  IF p_basis IS NULL THEN
    SELECT t.tx_id, t.ms INTO tx, v_ms FROM tx t ORDER BY t.tx_id DESC LIMIT 1;
    tx := coalesce(tx, 0);
    v_ms := greatest(coalesce(p_now, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), coalesce(v_ms, 0));
  ELSIF p_basis = 0 THEN
    tx := 0;
    v_ms := 0;
  ELSE
    SELECT t.tx_id, t.ms INTO tx, v_ms FROM tx t WHERE t.tx_id = p_basis;
    IF NOT FOUND THEN RAISE EXCEPTION 'basis' USING ERRCODE = 'CM001'; END IF;
  END IF;
  valid := coalesce(p_valid, v_ms);
END $$;

CREATE FUNCTION get_many_1(p_ids text[], p_basis bigint, p_valid bigint, p_now bigint) RETURNS TABLE(id text, type text, oid bigint, n int, tx_id bigint, tx_ms bigint, valid_from bigint, content_hash bytea,
  erased_reason text, erased_ms bigint, tool text, enc smallint, payload bytea, session_name text, source_type text,
  namespace text, path text, binding text, content_size int, content_enc smallint, content_data bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = "NAMESPACE", pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off
  SET enable_material = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE v_tx bigint; v_valid bigint;
BEGIN
  SELECT m.tx, m.valid INTO v_tx, v_valid FROM moment_1(p_basis, p_valid, p_now) m;
  RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, b.size, b.enc, b.data FROM unnest(p_ids) a(id) JOIN object o ON o.id = a.id
    JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON true JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN place p ON p.place_id = o.place_id
  LEFT JOIN blob b ON b.bid = v.bid;
END $$;

CREATE FUNCTION history_1(p_id text, p_after_oid bigint, p_after_n int, p_limit int, p_documents boolean) RETURNS TABLE(id text, type text, oid bigint, n int, tx_id bigint, tx_ms bigint, valid_from bigint, content_hash bytea,
  erased_reason text, erased_ms bigint, tool text, enc smallint, payload bytea, session_name text, source_type text,
  namespace text, path text, binding text, content_size int, content_enc smallint, content_data bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = "NAMESPACE", pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off
  SET enable_material = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE v_oid bigint; v_valid bigint; v_tx bigint;
BEGIN
  SELECT o.oid INTO v_oid FROM object o WHERE o.id = p_id;
  -- A cursor that is none starts from the newest.
  SELECT v.valid_from, v.tx_id INTO v_valid, v_tx FROM version v WHERE v.oid = v_oid AND p_after_oid = v_oid AND v.n = p_after_n;
  IF NOT FOUND THEN
    v_valid := 9223372036854775807;
    v_tx := 9223372036854775807;
  END IF;
  IF p_documents THEN
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, b.size, b.enc, b.data
      FROM (SELECT h.* FROM version h WHERE h.oid = v_oid AND (h.valid_from, h.tx_id) < (v_valid, v_tx)
        ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT p_limit) v
      JOIN object o ON o.oid = v.oid JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN place p ON p.place_id = o.place_id
  LEFT JOIN blob b ON b.bid = v.bid ORDER BY v.valid_from DESC, v.tx_id DESC;
  ELSE
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, NULL::text, NULL::smallint, NULL::bytea, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
  NULL::int, NULL::smallint, NULL::bytea
      FROM (SELECT h.* FROM version h WHERE h.oid = v_oid AND (h.valid_from, h.tx_id) < (v_valid, v_tx)
        ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT p_limit) v
      JOIN object o ON o.oid = v.oid JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased ORDER BY v.valid_from DESC, v.tx_id DESC;
  END IF;
END $$;

CREATE FUNCTION find_1(p_type text, p_session text, p_tool text, p_path text, p_source_type text, p_namespace text,
  p_path_from text, p_path_to text, p_texts boolean, p_cursor text, p_basis bigint, p_valid bigint, p_now bigint, p_limit int,
  p_documents boolean) RETURNS TABLE(id text, type text, oid bigint, n int, tx_id bigint, tx_ms bigint, valid_from bigint, content_hash bytea,
  erased_reason text, erased_ms bigint, tool text, enc smallint, payload bytea, session_name text, source_type text,
  namespace text, path text, binding text, content_size int, content_enc smallint, content_data bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = "NAMESPACE", pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off
  SET enable_material = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE v_tx bigint; v_valid bigint; v_kind int; v_session int;
BEGIN
  SELECT m.tx, m.valid INTO v_tx, v_valid FROM moment_1(p_basis, p_valid, p_now) m;
  tx_id := v_tx;
  valid_from := v_valid;
  RETURN NEXT;
  SELECT k.kind_id INTO v_kind FROM kind k WHERE k.type = p_type;
  SELECT s.session_id INTO v_session FROM session s WHERE s.name = p_session;
  IF p_session IS NOT NULL THEN 
    IF p_documents THEN 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, b.size, b.enc, b.data FROM (SELECT o.* FROM (SELECT i.oid FROM object i WHERE i.session_id = v_session
      UNION ALL SELECT m.oid FROM member m WHERE m.session_id = v_session) i
    JOIN object o ON o.oid = i.oid WHERE o.id > p_cursor ORDER BY o.id) o JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON true JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN place p ON p.place_id = o.place_id
  LEFT JOIN blob b ON b.bid = v.bid
      WHERE v.erased IS NULL AND (p_type IS NULL OR o.kind_id = v_kind)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace)))
        AND (NOT p_texts OR v.bid IS NOT NULL)
      ORDER BY o.id LIMIT p_limit;
    ELSE 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, NULL::text, NULL::smallint, NULL::bytea, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
  NULL::int, NULL::smallint, NULL::bytea FROM (SELECT o.* FROM (SELECT i.oid FROM object i WHERE i.session_id = v_session
      UNION ALL SELECT m.oid FROM member m WHERE m.session_id = v_session) i
    JOIN object o ON o.oid = i.oid WHERE o.id > p_cursor ORDER BY o.id) o JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON true JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased 
      WHERE v.erased IS NULL AND (p_type IS NULL OR o.kind_id = v_kind)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace)))
        AND (NOT p_texts OR v.bid IS NOT NULL)
      ORDER BY o.id LIMIT p_limit; END IF;
  ELSIF p_source_type IS NOT NULL THEN 
    IF p_documents THEN 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, b.size, b.enc, b.data FROM (SELECT o.* FROM place p JOIN object o ON o.place_id = p.place_id
    WHERE p.type = p_source_type AND (p_namespace IS NULL OR p.namespace = p_namespace) AND o.id > p_cursor
      AND left(o.path, 500) >= left(p_path_from, 500) AND left(o.path, 500) <= left(p_path_to, 500)
      AND o.path >= p_path_from AND o.path < p_path_to ORDER BY o.id) o JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON true JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN place p ON p.place_id = o.place_id
  LEFT JOIN blob b ON b.bid = v.bid
      WHERE v.erased IS NULL AND (p_type IS NULL OR o.kind_id = v_kind)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace)))
        AND (NOT p_texts OR v.bid IS NOT NULL)
      ORDER BY o.id LIMIT p_limit;
    ELSE 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, NULL::text, NULL::smallint, NULL::bytea, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
  NULL::int, NULL::smallint, NULL::bytea FROM (SELECT o.* FROM place p JOIN object o ON o.place_id = p.place_id
    WHERE p.type = p_source_type AND (p_namespace IS NULL OR p.namespace = p_namespace) AND o.id > p_cursor
      AND left(o.path, 500) >= left(p_path_from, 500) AND left(o.path, 500) <= left(p_path_to, 500)
      AND o.path >= p_path_from AND o.path < p_path_to ORDER BY o.id) o JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON true JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased 
      WHERE v.erased IS NULL AND (p_type IS NULL OR o.kind_id = v_kind)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace)))
        AND (NOT p_texts OR v.bid IS NOT NULL)
      ORDER BY o.id LIMIT p_limit; END IF;
  ELSE 
    IF p_documents THEN 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, b.size, b.enc, b.data FROM (SELECT o.* FROM object o WHERE o.kind_id = v_kind AND o.id > p_cursor ORDER BY o.id) o JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON true JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN place p ON p.place_id = o.place_id
  LEFT JOIN blob b ON b.bid = v.bid
      WHERE v.erased IS NULL AND (p_type IS NULL OR o.kind_id = v_kind)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace)))
        AND (NOT p_texts OR v.bid IS NOT NULL)
      ORDER BY o.id LIMIT p_limit;
    ELSE 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, NULL::text, NULL::smallint, NULL::bytea, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
  NULL::int, NULL::smallint, NULL::bytea FROM (SELECT o.* FROM object o WHERE o.kind_id = v_kind AND o.id > p_cursor ORDER BY o.id) o JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON true JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased 
      WHERE v.erased IS NULL AND (p_type IS NULL OR o.kind_id = v_kind)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace)))
        AND (NOT p_texts OR v.bid IS NOT NULL)
      ORDER BY o.id LIMIT p_limit; END IF;
  END IF;
END $$;

CREATE FUNCTION find_fields_1(p_keys uuid[], p_session text, p_tool text, p_path text, p_source_type text, p_namespace text,
  p_path_from text, p_path_to text, p_after_newest bigint, p_after text, p_now bigint, p_limit int, p_documents boolean)
RETURNS TABLE(id text, type text, oid bigint, n int, tx_id bigint, tx_ms bigint, valid_from bigint, content_hash bytea,
  erased_reason text, erased_ms bigint, tool text, enc smallint, payload bytea, session_name text, source_type text,
  namespace text, path text, binding text, content_size int, content_enc smallint, content_data bytea, newest bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = "NAMESPACE", pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off
  SET enable_material = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE v_tx bigint; v_valid bigint; v_session int; v_key uuid;
BEGIN
  SELECT m.tx, m.valid INTO v_tx, v_valid FROM moment_1(NULL, NULL, p_now) m;
  tx_id := v_tx;
  valid_from := v_valid;
  RETURN NEXT;
  SELECT s.session_id INTO v_session FROM session s WHERE s.name = p_session;
  SELECT k INTO v_key FROM unnest(p_keys) k
    ORDER BY (SELECT count(*) FROM (SELECT 1 FROM field g WHERE g.key = k LIMIT 1000) c) LIMIT 1;
  IF p_after_newest IS NULL THEN 
    IF p_documents THEN 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, b.size, b.enc, b.data, f.newest FROM field f JOIN object o ON o.oid = f.oid
      JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON v.n = f.n AND v.erased IS NULL JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN place p ON p.place_id = o.place_id
  LEFT JOIN blob b ON b.bid = v.bid
      WHERE f.key = v_key AND f.id > p_after AND (SELECT count(*) FROM field g WHERE g.oid = f.oid AND g.n = f.n AND g.key = ANY(p_keys)) = cardinality(p_keys)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace))) ORDER BY f.id LIMIT p_limit;
    ELSE 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, NULL::text, NULL::smallint, NULL::bytea, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
  NULL::int, NULL::smallint, NULL::bytea, f.newest FROM field f JOIN object o ON o.oid = f.oid
      JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON v.n = f.n AND v.erased IS NULL JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased 
      WHERE f.key = v_key AND f.id > p_after AND (SELECT count(*) FROM field g WHERE g.oid = f.oid AND g.n = f.n AND g.key = ANY(p_keys)) = cardinality(p_keys)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace))) ORDER BY f.id LIMIT p_limit; END IF;
  ELSE 
    IF p_documents THEN 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, b.size, b.enc, b.data, f.newest FROM field f JOIN object o ON o.oid = f.oid
      JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON v.n = f.n AND v.erased IS NULL JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN place p ON p.place_id = o.place_id
  LEFT JOIN blob b ON b.bid = v.bid
      WHERE f.key = v_key AND f.newest <= p_after_newest AND (f.newest < p_after_newest OR f.id > p_after) AND (SELECT count(*) FROM field g WHERE g.oid = f.oid AND g.n = f.n AND g.key = ANY(p_keys)) = cardinality(p_keys)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace))) ORDER BY f.newest DESC, f.id LIMIT p_limit;
    ELSE 
    RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, NULL::text, NULL::smallint, NULL::bytea, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
  NULL::int, NULL::smallint, NULL::bytea, f.newest FROM field f JOIN object o ON o.oid = f.oid
      JOIN LATERAL (SELECT h.* FROM version h WHERE h.oid = o.oid AND h.valid_from <= v_valid AND h.tx_id <= v_tx
  ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1) v ON v.n = f.n AND v.erased IS NULL JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased 
      WHERE f.key = v_key AND f.newest <= p_after_newest AND (f.newest < p_after_newest OR f.id > p_after) AND (SELECT count(*) FROM field g WHERE g.oid = f.oid AND g.n = f.n AND g.key = ANY(p_keys)) = cardinality(p_keys)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace))) ORDER BY f.newest DESC, f.id LIMIT p_limit; END IF;
  END IF;
END $$;


CREATE FUNCTION erase_begin_1(p_lock_ms int, p_ids text[]) RETURNS TABLE(id text, type text, oid bigint, n int, tx_id bigint, tx_ms bigint, valid_from bigint, content_hash bytea,
  erased_reason text, erased_ms bigint, tool text, enc smallint, payload bytea, session_name text, source_type text,
  namespace text, path text, binding text, content_size int, content_enc smallint, content_data bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = "NAMESPACE", pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off
  SET enable_material = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'isolation' USING ERRCODE = 'CM002';
  END IF;
  PERFORM set_config('lock_timeout', p_lock_ms::text, true), pg_advisory_xact_lock(COMMIT_LOCK);
  RETURN QUERY SELECT o.id, k.type, v.oid, v.n, v.tx_id, t.ms, v.valid_from, v.content_hash, e.reason, et.ms, v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, NULL::int, NULL::smallint,
  NULL::bytea FROM unnest(p_ids) a(id) JOIN object o ON o.id = a.id
    JOIN version v ON v.oid = o.oid JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN place p ON p.place_id = o.place_id
  LEFT JOIN blob b ON false;
END $$;

CREATE FUNCTION erase_1(p_now bigint, p_reason text, p_oids bigint[], p_ns int[], p_attached text[],
  OUT tx bigint, OUT time_ms bigint, OUT touched text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = "NAMESPACE", pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off
  SET enable_material = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  last_tx bigint; last_ms bigint; v_bids bigint[]; v_oids bigint[]; v_sessions int[]; v_places int[];
BEGIN
  SELECT t.tx_id, t.ms INTO last_tx, last_ms FROM tx t ORDER BY t.tx_id DESC LIMIT 1;
  tx := coalesce(last_tx, 0) + 1;
  time_ms := greatest(coalesce(p_now, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), coalesce(last_ms, 0));
  INSERT INTO tx VALUES (tx, time_ms);
  INSERT INTO erasure VALUES (tx, p_reason);

  SELECT array_agg(DISTINCT b.bid) INTO v_bids FROM (
      SELECT v.bid FROM unnest(p_oids, p_ns) u(oid, n) JOIN version v ON v.oid = u.oid AND v.n = u.n
      UNION SELECT v.bid FROM unnest(p_attached) a(id) JOIN object o ON o.id = a.id JOIN version v ON v.oid = o.oid) w
    JOIN blob b ON b.bid = w.bid WHERE b.size > 0;

  PERFORM set_config('cm.erasing', 'yes', true);
  WITH lost AS (
      SELECT v.oid, v.n, v.session_id FROM unnest(p_oids, p_ns) u(oid, n)
        JOIN version v ON v.oid = u.oid AND v.n = u.n WHERE v.erased IS NULL
      UNION SELECT v.oid, v.n, v.session_id FROM unnest(v_bids) u(bid) JOIN version v ON v.bid = u.bid),
    taken AS (UPDATE version v SET erased = tx, enc = 0, payload = NULL, bid = NULL, session_id = NULL, tool = NULL,
      mark = NULL FROM lost WHERE v.oid = lost.oid AND v.n = lost.n RETURNING v.oid, lost.session_id)
    SELECT array_agg(DISTINCT oid), array_agg(DISTINCT session_id) INTO v_oids, v_sessions FROM taken;
  DELETE FROM blob WHERE bid = ANY(v_bids);
  DELETE FROM field f USING version v WHERE f.oid = ANY(v_oids) AND v.oid = f.oid AND v.n = f.n AND v.erased IS NOT NULL;

  -- Bindings and sessions that only erased versions spoke of. Ids stay, as part of the stamps.
  WITH bare AS (SELECT o.oid, o.place_id FROM unnest(v_oids) u(oid) JOIN object o ON o.oid = u.oid
      WHERE o.place_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM version v WHERE v.oid = o.oid AND v.erased IS NULL)),
    freed AS (UPDATE object o SET place_id = NULL, path = NULL, binding = NULL FROM bare WHERE o.oid = bare.oid
      RETURNING bare.place_id)
    SELECT array_agg(DISTINCT place_id) INTO v_places FROM freed;
  DELETE FROM place p WHERE p.place_id = ANY(v_places) AND NOT EXISTS (SELECT 1 FROM object o WHERE o.place_id = p.place_id);
  UPDATE object o SET session_id = NULL WHERE o.oid = ANY(v_oids) AND o.session_id = ANY(v_sessions)
    AND NOT EXISTS (SELECT 1 FROM version v WHERE v.oid = o.oid AND v.session_id = o.session_id);
  DELETE FROM member m WHERE m.oid = ANY(v_oids) AND m.session_id = ANY(v_sessions)
    AND NOT EXISTS (SELECT 1 FROM version v WHERE v.oid = m.oid AND v.session_id = m.session_id);
  DELETE FROM session s WHERE s.session_id = ANY(v_sessions)
    AND NOT EXISTS (SELECT 1 FROM object o WHERE o.session_id = s.session_id)
    AND NOT EXISTS (SELECT 1 FROM member m WHERE m.session_id = s.session_id);
  PERFORM set_config('cm.erasing', 'no', true);

  SELECT coalesce(json_agg(o.id), '[]'::json) INTO touched FROM object o WHERE o.oid = ANY(v_oids);
END $$;


CREATE FUNCTION check_1() RETURNS TABLE(problem text, rows bigint, newest_ms bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = "NAMESPACE", pg_temp SET jit = off AS $$
BEGIN
  RETURN QUERY SELECT NULL::text, 0::bigint, (SELECT max(t.ms) FROM tx t);
  RETURN QUERY SELECT c.problem, c.rows, NULL::bigint FROM (
    SELECT 'versions belong to no object', (SELECT count(*) FROM version v WHERE NOT EXISTS
      (SELECT 1 FROM object o WHERE o.oid = v.oid))
    UNION ALL SELECT 'versions belong to no transaction', (SELECT count(*) FROM version v WHERE NOT EXISTS
      (SELECT 1 FROM tx t WHERE t.tx_id = v.tx_id))
    UNION ALL SELECT 'versions have lost their text', (SELECT count(*) FROM version v WHERE v.bid IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM blob b WHERE b.bid = v.bid))
    UNION ALL SELECT 'versions have lost their session', (SELECT count(*) FROM version v WHERE v.session_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM object o WHERE o.oid = v.oid AND o.session_id = v.session_id)
      AND NOT EXISTS (SELECT 1 FROM member m WHERE m.oid = v.oid AND m.session_id = v.session_id))
    UNION ALL SELECT 'versions were erased by no erasure', (SELECT count(*) FROM version v WHERE v.erased IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM erasure e WHERE e.tx_id = v.erased))
    UNION ALL SELECT 'objects have no version', (SELECT count(*) FROM object o WHERE NOT EXISTS
      (SELECT 1 FROM version v WHERE v.oid = o.oid))
    UNION ALL SELECT 'objects have no kind', (SELECT count(*) FROM object o WHERE NOT EXISTS
      (SELECT 1 FROM kind k WHERE k.kind_id = o.kind_id))
    UNION ALL SELECT 'objects have lost their place', (SELECT count(*) FROM object o WHERE o.place_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM place p WHERE p.place_id = o.place_id))
    UNION ALL SELECT 'objects miss a version between their first and their newest', (SELECT count(*) FROM
      (SELECT 1 FROM version v GROUP BY v.oid HAVING max(v.n) <> count(*)) g)
    UNION ALL SELECT 'texts belong to no version', (SELECT count(*) FROM blob b WHERE NOT EXISTS
      (SELECT 1 FROM version v WHERE v.bid = b.bid))
    UNION ALL SELECT 'transactions are missing', (SELECT coalesce(max(t.tx_id), 0) - count(*) FROM tx t)
    UNION ALL SELECT 'transactions are earlier than the one before', (SELECT count(*) FROM
      (SELECT t.ms < lag(t.ms) OVER (ORDER BY t.tx_id) AS is_earlier FROM tx t) g WHERE g.is_earlier)
  ) c(problem, rows) WHERE c.rows > 0;
END $$;
