import { holding, momentFunctions, reading } from "./moments.ts";

export const stamp = `o.id, k.type, v.oid::bigint, v.n, v.tx_id::bigint, t.ms, coalesce(v.valid_from, t.ms), v.content_hash,
  e.reason, et.ms`;
const document = `v.tool, v.enc, v.payload, n.name, p.type, p.namespace, o.path, o.binding, b.size, b.enc, b.data`;
const noDocument = `NULL::text, NULL::smallint, NULL::bytea, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
  NULL::int, NULL::smallint, NULL::bytea`;

/** Rows of a key that are counted to find the rarest of several. */
const keyRowsCountedMax = 1_000;

/** What every list of versions gives: the stamp, and the document where it is asked for. */
export const row = `TABLE(id text, type text, oid bigint, n int, tx_id bigint, tx_ms bigint, valid_from bigint, content_hash bytea,
  erased_reason text, erased_ms bigint, tool text, enc smallint, payload bytea, session_name text, source_type text,
  namespace text, path text, binding text, content_size int, content_enc smallint, content_data bytea)`;
export const stampJoins = `JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased`;
export const documentJoins = `LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN place p ON p.place_id = o.place_id
  LEFT JOIN blob b ON b.bid = v.bid`;

const getManyFunction = (schema: string): string => `
CREATE OR REPLACE FUNCTION get_many_1(p_ids text[], p_basis bigint, p_valid bigint, p_now bigint) RETURNS ${row}
${reading(schema)} AS $$
#variable_conflict use_column
DECLARE v_tx bigint; v_valid bigint; v_plain bigint;
BEGIN
  SELECT m.tx, m.valid, m.plain INTO v_tx, v_valid, v_plain FROM moment_2(p_basis, p_valid, p_now) m;
  RETURN QUERY SELECT ${stamp}, ${document} FROM unnest(p_ids) a(id) JOIN object o ON o.id = a.id
    JOIN LATERAL (${holding}) v ON true ${stampJoins} ${documentJoins};
END $$;
`;

/** Versions of an object before a place in its history, newest first: of each index as many as are asked for. */
const before = `SELECT u.* FROM (
    (SELECT h.*, ht.ms AS from_ms FROM version h JOIN tx ht ON ht.tx_id = h.tx_id WHERE h.oid = v_oid AND h.valid_from IS NULL
      AND h.tx_id <= v_plain AND (ht.ms, h.tx_id) < (v_valid, v_tx) ORDER BY h.tx_id DESC LIMIT p_limit)
    UNION ALL (SELECT h.*, h.valid_from FROM version h WHERE h.oid = v_oid AND h.valid_from IS NOT NULL
      AND (h.valid_from, h.tx_id) < (v_valid, v_tx) ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT p_limit)) u
  ORDER BY u.from_ms DESC, u.tx_id DESC LIMIT p_limit`;

const historyFunction = (schema: string): string => `
CREATE OR REPLACE FUNCTION history_1(p_id text, p_after_oid bigint, p_after_n int, p_limit int, p_documents boolean) RETURNS ${row}
${reading(schema)} AS $$
#variable_conflict use_column
DECLARE v_oid int; v_valid bigint; v_tx bigint; v_plain bigint;
BEGIN
  SELECT o.oid INTO v_oid FROM object o WHERE o.id = p_id;
  -- A cursor that is none starts from the newest.
  SELECT coalesce(v.valid_from, t.ms), v.tx_id INTO v_valid, v_tx FROM any_version v JOIN tx t ON t.tx_id = v.tx_id
    WHERE v.oid = v_oid AND p_after_oid = v_oid AND v.n = p_after_n;
  IF NOT FOUND THEN
    v_valid := 9223372036854775807;
    v_tx := 9223372036854775807;
  END IF;
  SELECT last_until_2(v_valid, t.tx_id) INTO v_plain FROM tx t ORDER BY t.tx_id DESC LIMIT 1;
  IF p_documents THEN
    RETURN QUERY SELECT ${stamp}, ${document} FROM (${before}) v
      JOIN object o ON o.oid = v.oid ${stampJoins} ${documentJoins} ORDER BY v.from_ms DESC, v.tx_id DESC;
  ELSE
    RETURN QUERY SELECT ${stamp}, ${noDocument} FROM (${before}) v
      JOIN object o ON o.oid = v.oid ${stampJoins} ORDER BY v.from_ms DESC, v.tx_id DESC;
  END IF;
END $$;
`;

/** Where the rows of a list come from, in the order of ids: a session is the smallest set, then a place, then a kind. */
const starts = {
  // An object may be in its session by both ways: the first one that it had was erased, and it has this one anew.
  session: `(SELECT o.* FROM (SELECT i.oid FROM object i WHERE i.session_id = v_session
      UNION SELECT m.oid FROM member m WHERE m.session_id = v_session) i
    JOIN object o ON o.oid = i.oid WHERE o.id > p_cursor ORDER BY o.id)`,
  source: `(SELECT o.* FROM place p JOIN object o ON o.place_id = p.place_id
    WHERE p.type = p_source_type AND (p_namespace IS NULL OR p.namespace = p_namespace) AND o.id > p_cursor
      AND left(o.path, 500) >= left(p_path_from, 500) AND left(o.path, 500) <= left(p_path_to, 500)
      AND o.path >= p_path_from AND o.path < p_path_to ORDER BY o.id)`,
  kind: "(SELECT o.* FROM object o WHERE o.kind_id = v_kind AND o.id > p_cursor ORDER BY o.id)",
  texts: `(SELECT o.* FROM (SELECT x.oid FROM unnest(p_bids) c(bid) JOIN version x ON x.bid = c.bid
      UNION SELECT x.oid FROM version x WHERE x.bid > p_last) i
    JOIN object o ON o.oid = i.oid WHERE o.id > p_cursor ORDER BY o.id)`,
} as const;

/** Rows of a list, with all that a filter may ask but a text. */
const listed = (start: keyof typeof starts, columns: string, joins: string, texts: string): string => `
    RETURN QUERY SELECT ${columns} FROM ${starts[start]} o JOIN LATERAL (${holding}) v ON true ${stampJoins} ${joins}
      WHERE v.erased IS NULL AND (p_type IS NULL OR o.kind_id = v_kind)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace)))
        AND ${texts}
      ORDER BY o.id LIMIT p_limit;`;

/** The first row of a list has its moment's transaction and nothing else. */
const listBegin = `
  SELECT m.tx, m.valid, m.plain INTO v_tx, v_valid, v_plain FROM moment_2(p_basis, p_valid, p_now) m;
  tx_id := v_tx;
  valid_from := v_valid;
  RETURN NEXT;
  SELECT k.kind_id INTO v_kind FROM kind k WHERE k.type = p_type;
  SELECT s.session_id INTO v_session FROM session s WHERE s.name = p_session;`;

/** One row more than asked for says whether more follow. */
const findFunction = (schema: string): string => {
  const isText = "(NOT p_texts OR v.bid IS NOT NULL)";
  const either = (start: keyof typeof starts): string => `
    IF p_documents THEN ${listed(start, `${stamp}, ${document}`, documentJoins, isText)}
    ELSE ${listed(start, `${stamp}, ${noDocument}`, "", isText)} END IF;`;
  return `
CREATE OR REPLACE FUNCTION find_1(p_type text, p_session text, p_tool text, p_path text, p_source_type text, p_namespace text,
  p_path_from text, p_path_to text, p_texts boolean, p_cursor text, p_basis bigint, p_valid bigint, p_now bigint, p_limit int,
  p_documents boolean) RETURNS ${row}
${reading(schema)} AS $$
#variable_conflict use_column
DECLARE v_tx bigint; v_valid bigint; v_plain bigint; v_kind int; v_session int;
BEGIN${listBegin}
  IF p_session IS NOT NULL THEN ${either("session")}
  ELSIF p_source_type IS NOT NULL THEN ${either("source")}
  ELSE ${either("kind")}
  END IF;
END $$;
`;
};

/**
 * What may have a text: of versions with a text of p_bids, or with one that p_bits has a bit for, or with one that is newer than
 * p_last.
 */
const findTextFunction = (schema: string): string => {
  const mayHave = `v.bid IS NOT NULL
        AND CASE WHEN v.bid > p_last THEN true WHEN p_bits IS NULL THEN true ELSE get_bit(p_bits, v.bid::bigint) = 1 END`;
  const list = (start: keyof typeof starts): string => listed(start, `${stamp}, ${document}`, documentJoins, mayHave);
  return `
CREATE OR REPLACE FUNCTION find_text_1(p_type text, p_session text, p_tool text, p_path text, p_source_type text, p_namespace text,
  p_path_from text, p_path_to text, p_bids int[], p_bits bytea, p_last int, p_cursor text, p_basis bigint, p_valid bigint,
  p_now bigint, p_limit int) RETURNS ${row}
${reading(schema)} AS $$
#variable_conflict use_column
DECLARE v_tx bigint; v_valid bigint; v_plain bigint; v_kind int; v_session int;
BEGIN${listBegin}
  IF p_bids IS NOT NULL THEN ${list("texts")}
  ELSIF p_session IS NOT NULL THEN ${list("session")}
  ELSIF p_source_type IS NOT NULL THEN ${list("source")}
  ELSE ${list("kind")}
  END IF;
END $$;
`;
};

/** The other keys of the question, and all that a filter may ask beside them. */
const meets = `(SELECT count(*) FROM field g WHERE g.oid = f.oid AND g.n = f.n AND g.key = ANY(p_keys)) = cardinality(p_keys)
        AND (p_session IS NULL OR v.session_id = v_session) AND (p_tool IS NULL OR v.tool = p_tool)
        AND (p_path IS NULL OR position(p_path IN o.path) > 0)
        AND (p_source_type IS NULL OR o.path >= p_path_from AND o.path < p_path_to AND EXISTS (SELECT 1 FROM place q
          WHERE q.place_id = o.place_id AND q.type = p_source_type AND (p_namespace IS NULL OR q.namespace = p_namespace)))`;

/** Lists by what a type declares: keys are of the index entry, each different. The rarest one is walked along. */
const findFieldsFunction = (schema: string): string => {
  const found = (order: string, start: string, columns: string, joins: string): string => `
    RETURN QUERY SELECT ${columns}, f.newest FROM field f JOIN object o ON o.oid = f.oid
      JOIN LATERAL (${holding}) v ON v.n = f.n AND v.erased IS NULL ${stampJoins} ${joins}
      WHERE f.key = v_key AND ${start} AND ${meets} ORDER BY ${order} LIMIT p_limit;`;
  const either = (order: string, start: string): string => `
    IF p_documents THEN ${found(order, start, `${stamp}, ${document}`, documentJoins)}
    ELSE ${found(order, start, `${stamp}, ${noDocument}`, "")} END IF;`;
  return `
CREATE OR REPLACE FUNCTION find_fields_1(p_keys uuid[], p_session text, p_tool text, p_path text, p_source_type text, p_namespace text,
  p_path_from text, p_path_to text, p_after_newest bigint, p_after text, p_now bigint, p_limit int, p_documents boolean)
RETURNS ${row.slice(0, -1)}, newest bigint)
${reading(schema)} AS $$
#variable_conflict use_column
DECLARE v_tx bigint; v_valid bigint; v_plain bigint; v_session int; v_key uuid;
BEGIN
  SELECT m.tx, m.valid, m.plain INTO v_tx, v_valid, v_plain FROM moment_2(NULL, NULL, p_now) m;
  tx_id := v_tx;
  valid_from := v_valid;
  RETURN NEXT;
  SELECT s.session_id INTO v_session FROM session s WHERE s.name = p_session;
  SELECT k INTO v_key FROM unnest(p_keys) k
    ORDER BY (SELECT count(*) FROM (SELECT 1 FROM field g WHERE g.key = k LIMIT ${keyRowsCountedMax}) c) LIMIT 1;
  IF p_after_newest IS NULL THEN ${either("f.id", "f.id > p_after")}
  ELSE ${either("f.newest DESC, f.id", "f.newest <= p_after_newest AND (f.newest < p_after_newest OR f.id > p_after)")}
  END IF;
END $$;
`;
};

export const readFunctions = (schema: string): string =>
  [momentFunctions, getManyFunction, historyFunction, findFunction, findTextFunction, findFieldsFunction]
    .map((make) => make(schema))
    .join("");
