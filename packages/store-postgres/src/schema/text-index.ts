import { groups } from "../text-index/trigrams.ts";
import { reading } from "./moments.ts";
import { planned } from "./planner.ts";

/**
 * Texts in blocks, by ranges of their numbers: a text is in the index with all others of its block, and leaves it with them. Each
 * trigram of a text, case folded, is hashed to one of some thousand places, eight of which are a group; an entry says which texts
 * of a block have which places of a group. What a client makes of a text's bytes the server cannot: it has no zstd.
 */
export const textIndexTables = `
CREATE TABLE text_block(from_bid int PRIMARY KEY, through_bid int NOT NULL CHECK(through_bid >= from_bid),
  EXCLUDE USING gist (int4range(from_bid, through_bid, '[]') WITH &&));
CREATE TABLE text_entry(place_group smallint NOT NULL, from_bid int NOT NULL, texts bytea NOT NULL,
  PRIMARY KEY(place_group, from_bid));
ALTER TABLE text_entry ALTER texts SET STORAGE EXTERNAL;
`;

/** All that the index has of some groups: the newest text, each block, and their entries. */
const entriesFunction = (schema: string): string => `
CREATE OR REPLACE FUNCTION text_entries_1(p_groups smallint[])
RETURNS TABLE(from_bid int, through_bid int, place_group smallint, texts bytea)
${reading(schema)} AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT NULL::int, coalesce((SELECT b.bid::int FROM blob b ORDER BY b.bid DESC LIMIT 1), 0), NULL::smallint, NULL::bytea;
  RETURN QUERY SELECT k.from_bid, k.through_bid, NULL::smallint, NULL::bytea FROM text_block k ORDER BY k.from_bid;
  RETURN QUERY SELECT t.from_bid, NULL::int, t.place_group, t.texts FROM unnest(p_groups) g
    JOIN text_entry t ON t.place_group = g;
END $$;
`;

/** The texts of the first range that is in no block, so many of them, and the range; nothing where all are in one. */
const nextFunction = (schema: string): string => `
CREATE OR REPLACE FUNCTION texts_to_index_1(p_texts int, p_bytes int)
RETURNS TABLE(from_bid int, through_bid int, bid int, size int, enc smallint, data bytea)
${reading(schema)} AS $$
#variable_conflict use_column
DECLARE v_from int; v_through int; v_last int;
BEGIN
  SELECT g.after + 1, coalesce(g.before - 1, (SELECT b.bid FROM blob b ORDER BY b.bid DESC LIMIT 1), 0) INTO v_from, v_through
    FROM (SELECT lag(k.through_bid, 1, 0) OVER (ORDER BY k.from_bid) AS after, k.from_bid AS before FROM text_block k
      UNION ALL SELECT coalesce(max(k.through_bid), 0), NULL FROM text_block k) g
    WHERE g.before IS NULL OR g.after + 1 < g.before ORDER BY g.after LIMIT 1;
  IF v_from > v_through THEN RETURN; END IF;
  SELECT max(w.bid) INTO v_last FROM (SELECT b.bid, sum(octet_length(b.data)) OVER (ORDER BY b.bid) - octet_length(b.data) AS before
    FROM blob b WHERE b.bid BETWEEN v_from AND v_through ORDER BY b.bid LIMIT p_texts) w WHERE w.before < p_bytes;
  IF EXISTS (SELECT 1 FROM blob b WHERE b.bid > v_last AND b.bid <= v_through) THEN v_through := v_last; END IF;
  RETURN QUERY SELECT v_from, v_through, b.bid::int, b.size, b.enc, b.data
    FROM (VALUES (0)) one(n) LEFT JOIN blob b ON b.bid BETWEEN v_from AND v_through ORDER BY b.bid;
END $$;
`;

/**
 * Makes a block, unless its texts are others by now or another client is at it. An erasure waits for it, or it for none: so no
 * entry is left of a text that is gone.
 */
const fillFunction = (schema: string, key: bigint): string => `
CREATE OR REPLACE FUNCTION index_texts_1(p_from int, p_through int, p_bids int[], p_groups smallint[], p_lens int[], p_texts bytea)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp ${planned} AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(${key}) THEN RETURN false; END IF;
  IF EXISTS (SELECT 1 FROM text_block k WHERE k.from_bid <= p_through AND k.through_bid >= p_from)
    OR p_bids IS DISTINCT FROM ARRAY(SELECT b.bid::int FROM blob b WHERE b.bid BETWEEN p_from AND p_through ORDER BY b.bid)
    OR p_through > coalesce((SELECT b.bid FROM blob b ORDER BY b.bid DESC LIMIT 1), 0)
      AND NOT EXISTS (SELECT 1 FROM text_block k WHERE k.from_bid > p_through)
    THEN RETURN false; END IF;
  INSERT INTO text_block VALUES (p_from, p_through);
  INSERT INTO text_entry SELECT u.g, p_from, substring(p_texts FROM u.through - u.len + 1 FOR u.len)
    FROM (SELECT w.g, w.len, (sum(w.len) OVER (ORDER BY w.i))::int AS through
      FROM unnest(p_groups, p_lens) WITH ORDINALITY w(g, len, i)) u;
  RETURN true;
END $$;
`;

export const textIndexFunctions = (schema: string, key: bigint): string =>
  entriesFunction(schema) + nextFunction(schema) + fillFunction(schema, key);

/** Takes the blocks of erased texts out; inside an erasure, with \`v_bids\` and \`v_blocks\`. */
export const forgetBlocks = (key: bigint): string => `
  PERFORM pg_advisory_xact_lock(${key});
  WITH gone AS (DELETE FROM text_block k USING unnest(v_bids) u(bid) WHERE u.bid BETWEEN k.from_bid AND k.through_bid
      RETURNING k.from_bid)
    SELECT array_agg(DISTINCT from_bid) INTO v_blocks FROM gone;
  DELETE FROM text_entry t USING generate_series(0, ${groups - 1}) g WHERE t.place_group = g::smallint AND t.from_bid = ANY(v_blocks);`;
