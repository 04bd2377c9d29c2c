/**
 * What no reading by id or list can see, counted: rows that lead nowhere, and texts that no version has. It reads every table,
 * so the planner may do it in any way.
 */
export const checkFunction = (schema: string): string => `
CREATE OR REPLACE FUNCTION check_1() RETURNS TABLE(problem text, rows bigint, newest_ms bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = ${schema}, pg_temp SET jit = off AS $$
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
    UNION ALL SELECT 'entries of the text index belong to no block', (SELECT count(*) FROM text_entry t WHERE NOT EXISTS
      (SELECT 1 FROM text_block k WHERE k.from_bid = t.from_bid))
    UNION ALL SELECT 'transactions are missing', (SELECT coalesce(max(t.tx_id), 0) - count(*) FROM tx t)
    UNION ALL SELECT 'transactions are earlier than the one before', (SELECT count(*) FROM
      (SELECT t.ms < lag(t.ms) OVER (ORDER BY t.tx_id) AS is_earlier FROM tx t) g WHERE g.is_earlier)
  ) c(problem, rows) WHERE c.rows > 0;
END $$;
`;
