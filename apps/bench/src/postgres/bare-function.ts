import type { ObjectDocument } from "@cm/object-model";
import { encodeContent, encodePayload } from "@cm/object-model/stored-form";
import type pg from "pg";

/** The parameters of `commit_1` but those of indexed fields, which steps have none of: the bare function takes them as they are. */
const parameters = `p_lock_ms int, p_request uuid, p_fingerprint uuid, p_valid bigint, p_now bigint,
  p_ids text[], p_types text[], p_expects text[], p_sessions text[], p_tools text[], p_marks uuid[],
  p_places uuid[], p_place_types text[], p_namespaces text[], p_paths text[], p_bindings text[],
  p_at int[], p_payload_encs smallint[], p_payload_lens int[], p_sizes int[], p_encs smallint[], p_lens int[], p_bytes bytea`;

/**
 * What a person would write by hand to insert the same rows into the same tables, in the order of transactions: one row
 * after the other, and without a look at what was expected, what holds already, or whether the request came before.
 */
export async function makeBareFunction(client: pg.Client, schema: string): Promise<void> {
  await client.query(`SET search_path = ${schema}`);
  await client.query(`CREATE FUNCTION bare(${parameters}) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE v_tx bigint; v_oid bigint; v_bid bigint; v_kind int; v_session int; v_n int; v_hash bytea; v_at int;
BEGIN
  PERFORM pg_advisory_xact_lock(7);
  SELECT coalesce(max(tx_id), 0) + 1 INTO v_tx FROM tx;
  FOR i IN 1 .. cardinality(p_ids) LOOP
    SELECT kind_id INTO v_kind FROM kind WHERE type = p_types[i];
    IF NOT FOUND THEN INSERT INTO kind(type) VALUES (p_types[i]) RETURNING kind_id INTO v_kind; END IF;
    v_session := NULL;
    IF p_sessions[i] IS NOT NULL THEN
      SELECT session_id INTO v_session FROM session WHERE name = p_sessions[i];
      IF NOT FOUND THEN INSERT INTO session(name) VALUES (p_sessions[i]) RETURNING session_id INTO v_session; END IF;
    END IF;
    SELECT oid INTO v_oid FROM object WHERE id = p_ids[i];
    IF NOT FOUND THEN
      INSERT INTO object(kind_id, session_id, id) VALUES (v_kind, v_session, p_ids[i]) RETURNING oid INTO v_oid;
    END IF;
    v_bid := NULL;
    IF p_sizes[i] IS NOT NULL THEN
      v_at := p_at[i] + 32 + p_payload_lens[i];
      v_hash := substring(p_bytes FROM v_at FOR 32);
      SELECT bid INTO v_bid FROM blob WHERE hash = v_hash;
      IF NOT FOUND THEN
        INSERT INTO blob(size, enc, hash, data)
          VALUES (p_sizes[i], p_encs[i], v_hash, substring(p_bytes FROM v_at + 32 FOR p_lens[i])) RETURNING bid INTO v_bid;
      END IF;
    END IF;
    SELECT coalesce((SELECT n FROM any_version WHERE oid = v_oid ORDER BY tx_id DESC LIMIT 1), 0) + 1 INTO v_n;
    INSERT INTO version(oid, tx_id, bid, n, session_id, enc, mark, content_hash, tool, payload)
      VALUES (v_oid, v_tx, v_bid, v_n, v_session, p_payload_encs[i], p_marks[i],
        substring(p_bytes FROM p_at[i] FOR 32), p_tools[i], substring(p_bytes FROM p_at[i] + 32 FOR p_payload_lens[i]));
  END LOOP;
  INSERT INTO tx VALUES (v_tx, v_tx, p_request, p_fingerprint);
  RETURN v_tx;
END $$`);
}

const parameterCount = 23;

export const bareCall = (schema: string): string =>
  `SELECT ${schema}.bare(${Array.from({ length: parameterCount }, (_, n) => `$${n + 1}`)})`;

/** Of the values of `commit_1` those that the bare function takes. */
export const bareValues = (values: readonly unknown[] = []): unknown[] => values.slice(0, parameterCount);

/** Who inserts the same rows has to make the same bytes of a document. */
export function makeBytes(document: ObjectDocument): void {
  encodePayload(document, undefined);
  if (document.content !== null) encodeContent(document.content);
}
