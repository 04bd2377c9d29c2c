import { planned } from "./planner.ts";

/** A read sees the database at one moment, because a stable function has the snapshot of its statement. */
export const reading = (schema: string): string =>
  `LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = ${schema}, pg_temp ${planned} SET enable_bitmapscan = off`;

/** The newest transaction up to `p_tx` that is not later than a time, or 0: ids are dense, and times never run backwards. */
const lastUntilFunction = (schema: string): string => `
CREATE OR REPLACE FUNCTION last_until_2(p_ms bigint, p_tx bigint) RETURNS bigint
${reading(schema)} AS $$
DECLARE v_from bigint := 0; v_to bigint := p_tx; v_middle bigint := p_tx;
BEGIN
  WHILE v_from < v_to LOOP
    IF (SELECT t.ms FROM tx t WHERE t.tx_id = v_middle) <= p_ms THEN v_from := v_middle; ELSE v_to := v_middle - 1; END IF;
    v_middle := (v_from + v_to + 1) / 2;
  END LOOP;
  RETURN v_from;
END $$;
`;

/**
 * The transaction and the valid time that a read asks about, and the last transaction whose plain versions hold at that time.
 * The empty store is transaction 0, at time 0. Without a basis: the newest transaction, now, which is never before it.
 */
const momentFunction = (schema: string): string => `
CREATE OR REPLACE FUNCTION moment_2(p_basis bigint, p_valid bigint, p_now bigint, OUT tx bigint, OUT valid bigint, OUT plain bigint)
${reading(schema)} AS $$
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
  plain := CASE WHEN valid >= v_ms THEN tx ELSE last_until_2(valid, tx) END;
END $$;
`;

export const momentFunctions = (schema: string): string => lastUntilFunction(schema) + momentFunction(schema);

/**
 * The version of `o` that holds at `v_valid` as of `v_tx`: the later one of the newest plain version and the newest dated
 * one. `v_plain` is what `moment_2` says.
 */
export const holding = `SELECT u.* FROM (
    (SELECT h.*, ht.ms AS from_ms FROM version h JOIN tx ht ON ht.tx_id = h.tx_id
      WHERE h.oid = o.oid AND h.valid_from IS NULL AND h.tx_id <= v_plain ORDER BY h.tx_id DESC LIMIT 1)
    UNION ALL (SELECT h.*, h.valid_from FROM version h WHERE h.oid = o.oid AND h.valid_from IS NOT NULL
      AND h.valid_from <= v_valid AND h.tx_id <= v_tx ORDER BY h.valid_from DESC, h.tx_id DESC LIMIT 1)) u
  ORDER BY u.from_ms DESC, u.tx_id DESC LIMIT 1`;
